// The rules of the house (docs/architecture.md), checked by `npm run check:boundaries`.
// Arrows point one way: collections → workspaces → teams → audit → access, errors, database. The endpoint
// of the audit log (audit-log) is downstream of teams.

/** Files that may import Prisma and node-postgres: repositories, src/database, development. */
const SPEAKS_SQL = ['\\.repository\\.ts$', '^src/(database|development|generated)/'];
const PRISMA_AND_PG =
  '^src/generated/|(^|/)node_modules/(@prisma/|\\.prisma/|prisma/|pg/|@types/pg/)';
const DOMAINS = '^src/(teams|workspaces|collections|audit-log|webhooks|me)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'A cycle means that two files are one, or that an arrow points back.',
      from: { pathNot: '^src/generated/' },
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment: 'The import leads nowhere. What starts a build imports what it builds.',
      from: { pathNot: '^(src/generated/|clients/cli/teamspaces\\.js$)' },
      to: { couldNotResolve: true },
    },
    {
      name: 'teams-know-nothing-downstream',
      severity: 'error',
      comment: 'What touches several domains lives in the most downstream one.',
      from: { path: '^src/teams/' },
      to: { path: '^src/(workspaces|collections|audit-log|webhooks|me)/' },
    },
    {
      name: 'the-audit-log-is-of-a-team',
      severity: 'error',
      comment:
        'It is read beside the roles of the team; of workspaces and content it knows the tables.',
      from: { path: '^src/audit-log/' },
      to: { path: '^src/(workspaces|collections|webhooks|me)/' },
    },
    {
      name: 'workspaces-know-no-collections',
      severity: 'error',
      comment: 'What touches several domains lives in the most downstream one.',
      from: { path: '^src/workspaces/' },
      to: { path: '^src/(collections|audit-log|webhooks|me)/' },
    },
    {
      name: 'collections-write-entries-only',
      severity: 'error',
      comment: 'Use cases record entries; only the endpoint reads them.',
      from: { path: '^src/collections/' },
      to: { path: '^src/(audit-log|webhooks|me)/' },
    },
    {
      name: 'foundations-know-no-domain',
      severity: 'error',
      comment: 'Only the domains, the table of contents and commands about people know teams.',
      from: {
        path: '^(src/|cli[/.])',
        pathNot: [
          DOMAINS,
          '^(src/app\\.module|cli/(audit/audit-export|erase/erasure|member/member-addition|restore/restoration|doctor/tables|verify/search-sample))\\.ts$',
        ],
      },
      to: { path: DOMAINS },
    },
    {
      name: 'the-database-knows-nothing-above',
      severity: 'error',
      comment: 'It runs statements and transactions; what they mean is said above.',
      from: { path: '^src/database/' },
      to: { path: '^src/', pathNot: '^src/(database|config|errors|generated)/' },
    },
    {
      name: 'jobs-know-tables-only',
      severity: 'error',
      comment: 'Domains have jobs of their own; what goes by its age alone is known by its table.',
      from: { path: '^src/jobs/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(jobs|database|config|observability)/|^src/idempotency/idempotent-write\\.ts$',
      },
    },
    {
      name: 'auth-knows-no-endpoint',
      severity: 'error',
      comment: 'It says who the caller is; what an operation says of itself is downstream.',
      from: { path: '^src/auth/' },
      to: { path: '^src/openapi/' },
    },
    {
      name: 'observability-knows-no-endpoint',
      severity: 'error',
      comment:
        'http/ and the rate limit report to it; of the service it knows the database and the settings.',
      from: { path: '^src/observability/' },
      to: { path: '^src/', pathNot: '^src/(observability|config|database)/' },
    },
    {
      name: 'access-is-pure',
      severity: 'error',
      comment: 'access/ decides from what it is given: no I/O, no Nest, no Prisma.',
      from: { path: '^src/access/' },
      to: { pathNot: '^src/(access|errors)/' },
    },
    {
      name: 'access-knows-no-http-errors',
      severity: 'error',
      comment: 'Of errors/, access/ may see the domain errors only.',
      from: { path: '^src/access/' },
      to: { path: '^src/errors/', pathNot: '^src/errors/domain-error\\.ts$' },
    },
    {
      name: 'tree-rules-are-pure',
      severity: 'error',
      comment: 'What a change of a tree means is decided without I/O, Nest and SQL.',
      from: {
        path: '^src/collections/(items/titles|writer/(tree-rules|tree-slice|sibling-order)|subtrees/subtree-rules)\\.ts$',
      },
      to: {
        pathNot: [
          '^src/collections/(items/(collection|item\\.fields|titles)|errors|limits)\\.ts$',
          '^src/database/fields\\.ts$',
          '^src/http/etag\\.ts$',
          '^src/collections/writer/(tree-rules|tree-slice|sibling-order)\\.ts$',
          '^src/errors/(domain|json)-error\\.ts$',
          '^packages/json-text/',
          '(^|/)node_modules/fractional-indexing/',
        ],
      },
    },
    {
      name: 'the-writer-stands-alone',
      severity: 'error',
      comment:
        'It says that a tree has changed, and those that wait subscribe; commands on subtrees are given to it.',
      from: { path: '^src/collections/writer/' },
      to: { path: '^src/collections/(changes|subtrees|trash|tree)/' },
    },
    {
      name: 'domain-errors-are-pure',
      severity: 'error',
      comment: 'Domain errors and their statuses know no framework.',
      from: { path: '^src/errors/(domain-error|error-status)\\.ts$' },
      to: { pathNot: '^src/errors/(domain-error|error-status)\\.ts$' },
    },
    {
      name: 'errors-stay-at-home',
      severity: 'error',
      comment: 'errors/ imports nothing else of the house.',
      from: { path: '^src/errors/' },
      to: {
        path: '^src/',
        pathNot: '^src/errors/',
      },
    },
    {
      name: 'validation-knows-no-endpoint',
      severity: 'error',
      comment: 'Fields and messages know errors and what an email is, and nothing of HTTP.',
      from: { path: '^src/validation/' },
      to: {
        path: '^src/',
        pathNot: '^src/(validation/|errors/|(auth/email|event-loop)\\.ts$)',
      },
    },
    {
      name: 'only-repositories-see-the-database',
      severity: 'error',
      comment:
        'Only these may import Prisma and node-postgres; test/contract/sources.test.ts is about SQL.',
      from: { path: '^src/', pathNot: SPEAKS_SQL },
      to: { path: PRISMA_AND_PG },
    },
    {
      name: 'production-loads-no-development',
      severity: 'error',
      comment: 'Outside production it is loaded by await import().',
      from: { path: '^(src/|cli[/.])', pathNot: '^src/development/' },
      to: { path: '^(src/development|packages/local-postgres)/', dynamic: false },
    },
    {
      name: 'development-is-asked-for-at-the-start-only',
      severity: 'error',
      comment: 'The process and the commands may, where production is ruled out.',
      from: { path: '^src/', pathNot: '^src/(development/|main\\.ts$)' },
      to: { path: '^(src/development|packages/local-postgres)/' },
    },
    {
      name: 'the-demo-is-a-client',
      severity: 'error',
      comment: 'It knows the public API, and nothing of how the service answers.',
      from: { path: '^cli/demo/' },
      to: { path: '^src/' },
    },
    {
      name: 'clients-know-the-public-api-only',
      severity: 'error',
      comment: 'The client, and what builds on it, are published by themselves.',
      from: { path: '^clients/' },
      to: { path: '^(src|cli|packages|test|bench)/' },
    },
    {
      name: 'the-service-is-no-client-of-itself',
      severity: 'error',
      comment:
        'Commands are: import, export, demo. A start in development signs a token and leaves the address for them. Tools of models reach the API by requests alone.',
      from: { path: '^src/', pathNot: '^src/(development|mcp)/' },
      to: { path: '^clients/' },
    },
    {
      name: 'controllers-go-through-services',
      severity: 'error',
      comment: 'A controller calls one service method; loading names the action there.',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '\\.repository\\.ts$|^(src/database|packages/pg-lanes)/' },
    },
    {
      name: 'wire-stays-at-the-edge',
      severity: 'error',
      comment: 'Services and repositories return what the wire serializes.',
      from: { path: '\\.(service|repository)\\.ts$' },
      to: { path: '\\.(wire|controller)\\.ts$' },
    },
    {
      name: 'the-wire-decides-nothing',
      severity: 'error',
      comment: 'What a caller may see is decided before the wire; the words of roles are its own.',
      from: { path: '\\.wire\\.ts$' },
      to: { path: '^src/access/decide\\.ts$' },
    },
    {
      name: 'repositories-call-no-service',
      severity: 'error',
      from: { path: '\\.repository\\.ts$' },
      to: { path: '\\.service\\.ts$' },
    },
    {
      name: 'no-barrels',
      severity: 'error',
      comment: 'Import the file that has the thing; an index.ts hides where it is.',
      from: {},
      to: { path: '(^|/)index\\.ts$', pathNot: ['node_modules', '^src/generated/'] },
    },
    {
      name: 'no-junk-drawers',
      severity: 'error',
      comment: 'Name a folder after what happens in it.',
      from: {},
      to: { path: '/(utils?|common|helpers?|shared|misc)(/|\\.ts$)', pathNot: 'node_modules' },
    },
    {
      name: 'bench-is-a-client',
      severity: 'error',
      comment: 'It knows the public API only; a PostgreSQL to try things on is a package.',
      from: { path: '^bench/' },
      to: { path: '^(src|cli|test)/' },
    },
    {
      name: 'src-runs-without-dev-dependencies',
      severity: 'error',
      comment: 'The runtime image has none of them. Types and the drift check are another matter.',
      from: {
        path: '^(src/|cli[/.]|packages/[^/]+/src/)',
        pathNot: '^packages/local-postgres/src/schema-engine\\.ts$',
      },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '(^|/)node_modules/@types/',
      },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      comment: 'A package that is imported is named in package.json.',
      from: {
        path: '^(src/|cli[/.]|(packages|clients)/[^/]+/src/)',
        pathNot: '^src/generated/',
      },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'Nobody imports it and it imports nothing: delete it.',
      from: {
        orphan: true,
        pathNot: [
          '^src/main\\.ts$',
          // What browsers run.
          '^packages/manual-site/assets/',
          '^src/generated/',
          '^test/support/global-(setup|teardown)\\.ts$',
          '^test/mutants/stryker\\.config\\.js$',
          // Loaded before a process, and a process of its own.
          '^test/support/(wrong-clock|processor-sample)\\.js$',
          '\\.d\\.ts$',
        ],
      },
      to: {},
    },
  ],
  options: {
    exclude: { path: ['^dist/', '^(clients|packages)/[^/]+/dist/'] },
    doNotFollow: { path: ['node_modules', '^src/generated/'] },
    tsConfig: { fileName: 'tsconfig.check.json' },
    tsPreCompilationDeps: true,
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
