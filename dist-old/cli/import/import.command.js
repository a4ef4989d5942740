import { targetOf, tokenOption, urlOption } from '../service-options.js';
/** `teamspaces import`: a folder of Markdown files into a workspace, through the public API. */
export function addImport(program) {
    const command = program
        .command('import')
        .summary('import a folder of Markdown into a workspace')
        .description('Imports a folder of Markdown files as collections and pages; other files, such as images, are\n' +
        'left out. Existing items are not changed: run the same command again to continue an\n' +
        'interrupted import.')
        .argument('<folder>', 'the folder')
        .requiredOption('--team <slug>', 'the team')
        .requiredOption('--workspace <slug>', 'the workspace; it must exist')
        .addOption(tokenOption('with full access to the workspace'))
        .addOption(urlOption())
        .option('--dry-run', 'print what would be created, without creating it')
        .addHelpText('after', '\nExample:\n  TEAMSPACES_TOKEN=… npx teamspaces import --team acme --workspace docs ./docs')
        .action(async (folder, options) => {
        const target = targetOf(command, folder, options);
        const { runImport } = await import('./import-folder.js');
        const { withNearestSlugs } = await import('../nearest-slugs.js');
        const { dryRun = false } = options;
        await withNearestSlugs(target, () => runImport(target, dryRun));
    });
}
//# sourceMappingURL=import.command.js.map