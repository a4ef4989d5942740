import { createInterface } from 'node:readline/promises';
import type { Command } from '@commander-js/extra-typings';
import { counted, Ended, print } from 'teamspaces';
import { withDatabase } from '../with-database.js';
import type { TeamSummary } from './team-deletion.js';

const EXAMPLES = `
Examples:
  npx teamspaces team delete acme
  npx teamspaces team delete acme --yes`;

/** `teamspaces team delete`: the API has no operation for it. The service may be running. */
export function addTeam(program: Command): void {
  const command = program
    .command('team')
    .description('Lists, shows and deletes teams.')
    .summary('list, show or delete teams')
    .command('delete')
    .summary('delete a team with all its content')
    .description(
      'Permanently deletes a team with its workspaces, collections, pages, memberships, invites and\n' +
        'audit log. The user records stay. The command shows what it will delete and asks for the slug;\n' +
        'scripts use --yes. Keep the last line that it prints: it is the only record of the deletion.',
    )
    .argument('<slug>', 'the team')
    .option('--yes', 'delete it without asking')
    .addHelpText('after', EXAMPLES)
    .action((slug, { yes = false }) => {
      if (!yes && !process.stdin.isTTY) {
        return command.error('error: there is no terminal to ask at: use --yes to delete the team');
      }
      return withDatabase(({ databaseUrl }) => deleteTeam(databaseUrl, slug, yes));
    });
}

async function deleteTeam(databaseUrl: string, slug: string, yes: boolean): Promise<void> {
  const { TeamDeletion } = await import('./team-deletion.js');
  const deletion = await TeamDeletion.open(databaseUrl, slug);
  try {
    print(`${deletion.name} (${slug}) has ${inWords(await deletion.summary())}.`);
    if (!yes && !(await agreed(slug))) {
      print('Nothing was deleted.');
      throw new Ended(1);
    }
    const gone = await deletion.delete();
    // The audit log of the team is gone with it: this line is what is left, for the log of the operator.
    const at = new Date().toISOString();
    print(`Deleted the team ${slug}, with ${inWords(gone)}. Id ${deletion.id}, ${at}.`);
  } finally {
    await deletion.close();
  }
}

async function agreed(slug: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // The terminal handles Ctrl-C during the question.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const question = `All of it will be deleted permanently. Type ${slug} to confirm: `;
    return (await terminal.question(question)).trim() === slug;
  } finally {
    terminal.close();
  }
}

const inWords = ({ members, invites, workspaces, collections, pages }: TeamSummary): string =>
  `${counted(members, 'member')}, ${counted(invites, 'pending invite')}, ` +
  `${counted(workspaces, 'workspace')}, ${counted(collections, 'collection')} and ` +
  counted(pages, 'page');
