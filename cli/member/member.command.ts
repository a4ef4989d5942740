import { type Command, Option } from '@commander-js/extra-typings';
import { print } from 'teamspaces';
import { TEAM_ROLES } from 'teamspaces-service/access/roles';
import { withPools } from '../with-database.js';

const EXAMPLES = `
Examples:
  npx teamspaces member add --team acme --issuer https://id.example.com --subject ci-bot
  npx teamspaces member add --team acme --issuer '' --subject ada --role owner --change-role`;

/** `teamspaces member add`: how an operator adds a service, or a person if no owner can. */
export function addMember(program: Command): void {
  program
    .command('member')
    .description('Lists, shows and adds the members of a team: people and services.')
    .summary('list, show or add members of a team')
    .command('add')
    .summary('make a person or a service a member of a team')
    .description(
      'Makes a person or a service a member of a team, identified by the claims iss and sub of their\n' +
        "tokens, even before their first request. The plan's limit of users applies. An existing\n" +
        'member keeps their role unless --change-role is given.',
    )
    .requiredOption('--team <slug>', 'the team')
    .addOption(
      new Option('--issuer <iss>', "the claim iss of their tokens, '' if there is none")
        .env('AUTH_ISSUER')
        .makeOptionMandatory(),
    )
    .requiredOption('--subject <sub>', 'the claim sub of their tokens')
    .addOption(
      new Option('--role <role>', 'their role').choices(TEAM_ROLES).default('member' as const),
    )
    .option('--name <name>', 'their name until their first request (default: the subject)')
    .option('--change-role', 'change the role of an existing member')
    .addHelpText('after', EXAMPLES)
    .action((options) =>
      withPools(async (database, config) => {
        const { addNewMember } = await import('./member-addition.js');
        const { team, issuer, subject, role, name = subject, changeRole = false } = options;
        const member = { team, issuer, subject, name, role, changeRole };
        print(await addNewMember(database, config, member));
      }),
    );
}
