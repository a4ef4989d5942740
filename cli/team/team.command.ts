import { createInterface } from 'node:readline/promises';
import type { Command } from '@commander-js/extra-typings';
import type pg from 'pg';
import { counted, Ended, print } from 'teamspaces';
import { connect } from 'teamspaces-service/database/connection';
import { noTeam, withDatabase } from '../with-database.js';

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
      return withDatabase(({ databaseUrl }) => runDelete(databaseUrl, slug, yes));
    });
}

/** On a connection of its own: a large team takes longer than a request may. */
async function runDelete(databaseUrl: string, slug: string, yes: boolean): Promise<void> {
  const client = await connect(databaseUrl, 'team delete');
  try {
    const { rows } = await client.query<{ id: string; name: string }>(TEAM, [slug]);
    const [team] = rows;
    if (!team) throw noTeam(slug);
    print(`${team.name} (${slug}) has ${await summaryOf(client, team.id)}.`);
    if (!yes && !(await agreed(slug))) {
      print('Nothing was deleted.');
      throw new Ended(1);
    }
    const gone = await deleteTeam(client, team.id);
    // The audit log of the team is gone with it: this line is what is left, for the log of the operator.
    print(`Deleted the team ${slug}, with ${gone}. Id ${team.id}, ${new Date().toISOString()}.`);
  } finally {
    await client.end();
  }
}

const TEAM = 'SELECT id, name FROM teams WHERE slug = $1';

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

/**
 * Deletes all of it, or nothing. It waits for concurrent writers; later ones find no team.
 * @returns what was deleted, in words
 */
async function deleteTeam(client: pg.Client, id: string): Promise<string> {
  await client.query('BEGIN');
  try {
    for (const text of LOCKS) await client.query(text, [id]);
    const summary = await summaryOf(client, id);
    const invites = await client.query<{ id: string }>(INVITES, [id]);
    await client.query(DELETE_MAILS, [invites.rows.map((invite) => invite.id)]);
    for (const text of DELETIONS) await client.query(text, [id]);
    await client.query('COMMIT');
    return summary;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The membership lock, and the workspaces as a writer of content locks them. */
const LOCKS = [
  'SELECT 1 FROM teams WHERE id = $1 FOR UPDATE',
  'SELECT 1 FROM workspaces WHERE team_id = $1 ORDER BY id FOR UPDATE',
];

// `mail_outbox` has no team: its rows are deleted by the ids of the invites.
const INVITES = 'SELECT id FROM team_invites WHERE team_id = $1';
const DELETE_MAILS = 'DELETE FROM mail_outbox WHERE invite_id = ANY ($1::uuid[])';

/**
 * One statement a table, each for the rows of one team: on a database that is distributed by team
 * each runs on one node.
 */
const DELETIONS = [
  'DELETE FROM mail_sends WHERE team_id = $1',
  'DELETE FROM webhook_senders WHERE team_id = $1',
  'DELETE FROM webhook_states WHERE team_id = $1',
  'DELETE FROM webhook_deliveries WHERE team_id = $1',
  'DELETE FROM webhooks WHERE team_id = $1',
  'DELETE FROM workspaces WHERE team_id = $1',
  // After the workspaces: who writes to one of them logs it, and keeps versions.
  'DELETE FROM tree_changes WHERE team_id = $1',
  'DELETE FROM page_versions WHERE team_id = $1',
  // After the workspaces: who writes to one of them records it.
  'DELETE FROM audit_entries WHERE team_id = $1',
  'DELETE FROM team_usage WHERE team_id = $1',
  'DELETE FROM team_invites WHERE team_id = $1',
  'DELETE FROM team_members WHERE team_id = $1',
  'DELETE FROM teams WHERE id = $1',
];

/** What the team has now, in words. */
async function summaryOf(client: pg.Client, id: string): Promise<string> {
  const words: string[] = [];
  for (const [noun, from] of COUNTED) {
    const text = `SELECT count(*)::int AS count FROM ${from}`;
    const { rows } = await client.query<{ count: number }>(text, [id]);
    words.push(counted(rows[0]?.count ?? 0, noun));
  }
  return new Intl.ListFormat('en-GB').format(words);
}

const COUNTED = [
  ['member', 'team_members WHERE team_id = $1'],
  ['pending invite', "team_invites WHERE team_id = $1 AND state = 'pending'"],
  ['workspace', 'workspaces WHERE team_id = $1'],
  ['collection', "collections WHERE team_id = $1 AND object = 'collection'"],
  ['page', "collections WHERE team_id = $1 AND object = 'item'"],
] as const;
