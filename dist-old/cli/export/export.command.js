import { targetOf, tokenOption, urlOption } from '../service-options.js';
/** `teamspaces export`: a workspace into a folder of Markdown files, through the public API. */
export function addExport(program) {
    const command = program
        .command('export')
        .summary('write a workspace to a folder of Markdown')
        .description('Writes a workspace to a new or empty folder: a file for each page, a folder for each\n' +
        'collection. Importing and exporting again reproduces the same files.')
        .argument('<folder>', 'the folder')
        .requiredOption('--team <slug>', 'the team')
        .requiredOption('--workspace <slug>', 'the workspace')
        .addOption(tokenOption('with read access to the workspace'))
        .addOption(urlOption())
        .option('--force', 'allow a folder with files: files of the same name are replaced')
        .addHelpText('after', '\nExample:\n  TEAMSPACES_TOKEN=… npx teamspaces export --team acme --workspace docs ./docs-again')
        .action(async (folder, { force = false, ...options }) => {
        const target = targetOf(command, folder, options);
        const { runExport } = await import('./export-folder.js');
        const { withNearestSlugs } = await import('../nearest-slugs.js');
        await withNearestSlugs(target, () => runExport(target, force));
    });
}
//# sourceMappingURL=export.command.js.map