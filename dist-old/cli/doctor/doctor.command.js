import { Ended } from '../interruption.js';
/** `teamspaces doctor`: checks what the service depends on. */
export function addDoctor(program) {
    program
        .command('doctor')
        .summary('check the configuration and what it depends on')
        .description('Checks the configuration in the environment and what it refers to: database, migrations,\n' +
        'keys, Redis, mail server, clock. Prints a line for each: ok, warn or fail, and what to do.\n' +
        'Exits with status 1 if a check fails. It changes nothing and prints no secrets.')
        .option('--json', 'print the findings as a JSON array')
        .addHelpText('after', '\nExample:\n  npx teamspaces doctor')
        .action(async ({ json = false }) => {
        const { examine } = await import('./examination.js');
        const findings = [];
        for await (const finding of examine(process.env)) {
            const { level, check, says } = finding;
            if (!json)
                console.log(`${level.padEnd(4)}  ${check.padEnd(13)}  ${says}`);
            findings.push(finding);
        }
        if (json)
            console.log(JSON.stringify(findings, null, 2));
        if (findings.some(({ level }) => level === 'fail'))
            throw new Ended(1);
    });
}
//# sourceMappingURL=doctor.command.js.map