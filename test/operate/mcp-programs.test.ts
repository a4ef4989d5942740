import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeFolders } from '../support/folders.js';
import { installFromNpm, type NpmPrograms, REGISTRY } from '../support/npm-programs.js';
import { describeWith, findProgram, withProgram } from '../support/programs.js';
import { startTokenProxy } from '../support/token-proxy.js';
import {
  type Check,
  INAPPLICABLE_CHECKS,
  INAPPLICABLE_SCENARIOS,
  runConformance,
} from './mcp-conformance.js';
import { type McpScene, startMcpScene } from './mcp-scene.js';
import { freePort } from './process.js';

const run = promisify(execFile);
const SUITE = '@modelcontextprotocol/conformance';
const NEXT_SUITE = 'conformance-next';
const PACKAGES = [
  '@modelcontextprotocol/inspector@2.12.0',
  `${SUITE}@0.1.16`,
  // The first with scenarios for the revision of 2026.
  `${NEXT_SUITE}@npm:${SUITE}@0.2.0-alpha.12`,
];
const NODE = { oldest: '22.19.0', otherwise: '24.21.0' };

const hasBalancer = findProgram('haproxy') !== null;
// Nothing is installed for tests that are skipped.
const programs = hasBalancer ? await installFromNpm(PACKAGES, { node: NODE }) : null;
const describeInstalled = hasBalancer
  ? withProgram(describe, REGISTRY, programs?.node ?? null)
  : describeWith('haproxy');

describeInstalled('programs of others, behind the balancer', () => {
  const installed = programs as NpmPrograms;
  let at: McpScene;
  let proxy: { url: string; stop(): Promise<void> };
  beforeAll(async () => {
    const port = await freePort();
    at = await startMcpScene([`http://127.0.0.1:${port}`]);
    proxy = await startTokenProxy(port, at.publicUrl, at.token);
  }, 300_000);
  afterAll(async () => {
    await proxy?.stop();
    await at?.stop();
    await removeFolders();
  }, 60_000);

  describe('the command line of the inspector', () => {
    const LAUNCHER = join('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js');

    const inspect = (...args: string[]) => inspectWith(at.token, ...args);
    async function inspectWith(token: string, ...args: string[]) {
      const { node, modules } = installed;
      const header = ['--header', `Authorization: Bearer ${token}`];
      const { stdout } = await run(
        node,
        [join(modules, LAUNCHER), '--cli', at.url.href, '--transport', 'http', ...header, ...args],
        { cwd: modules, env: { PATH: process.env.PATH, HOME: modules }, maxBuffer: 1e8 },
      );
      return JSON.parse(stdout);
    }

    test('lists the tools, and finds none that other clients would not understand', async () => {
      const { tools } = await inspect('--method', 'tools/list', '--strict');
      expect(tools.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(['list_teams', 'search', 'read_page', 'create_item']),
      );
    });

    test('lists nothing that a token without rights to write could not do', async () => {
      const token = await at.provider.machineToken('teamspaces:read');
      const { tools } = await inspectWith(token, '--method', 'tools/list');
      expect(tools.length).toBeGreaterThan(5);
      type Tool = { name: string; annotations?: { readOnlyHint?: boolean } };
      const writing = tools.filter(({ annotations }: Tool) => !annotations?.readOnlyHint);
      expect(writing).toEqual([]);
    });

    test('calls a tool, and reads the page as a resource', async () => {
      const call = ['--method', 'tools/call', '--tool-name', 'create_item', '--tool-arg'];
      const page = ['team=acme', 'workspace=docs', 'kind=page', 'title=Inspected'];
      const { structuredContent } = await inspect(...call, ...page);
      expect(structuredContent).toMatchObject({ title: 'Inspected' });
      const uri = `teamspaces://acme/docs/${structuredContent.slug}`;
      const { contents } = await inspect('--method', 'resources/read', '--uri', uri);
      expect(JSON.parse(contents[0].text)).toMatchObject({ id: structuredContent.id });
    });

    test('lists the template of the resources', async () => {
      const { resourceTemplates } = await inspect('--method', 'resources/templates/list');
      expect(resourceTemplates).toMatchObject([
        { uriTemplate: 'teamspaces://{team}/{workspace}/{slug}' },
      ]);
    });
  });

  describe('the conformance suite of the protocol', () => {
    test.each([
      [SUITE, '2025-11-25', { scenarios: 32, apply: 5, passed: 6 }],
      [NEXT_SUITE, '2025-11-25', { scenarios: 33, apply: 5, passed: 11 }],
      [NEXT_SUITE, '2026-07-28', { scenarios: 40, apply: 9, passed: 56 }],
    ])('%s passes for revision %s, as far as it applies', async (suite, revision, expected) => {
      const url = `${proxy.url}/mcp`;
      const checks = await runConformance(installed, { suite, revision, url });
      const applicable = checks.filter(isApplicable);
      const others = checks.filter((check) => !isApplicable(check));
      expect(applicable.filter(hasFailed).map(sentenceOf)).toEqual([]);
      // All that fails of the others is what the service does not have.
      const isAbsent = ({ errorMessage = '' }: Check) => ABSENT.test(errorMessage);
      const failed = others.filter(({ status }) => status === 'FAILURE');
      expect(failed.filter((check) => !isAbsent(check)).map(sentenceOf)).toEqual([]);
      const scenarios = (of: Check[]) => new Set(of.map(({ scenario }) => scenario)).size;
      const passed = applicable.filter(({ status }) => status === 'SUCCESS').length;
      expect({ scenarios: scenarios(checks), apply: scenarios(applicable), passed }).toEqual(
        expected,
      );
    });
  });
});

const hasFailed = ({ status }: Check): boolean => ['FAILURE', 'WARNING'].includes(status);
const sentenceOf = ({ scenario, id, errorMessage }: Check): string =>
  `${scenario}, ${id}: ${errorMessage}`;
const ABSENT = /not found|Not testable: server|InputRequiredResult/;
const inapplicable = Object.values(INAPPLICABLE_SCENARIOS).flat();
const isApplicable = ({ scenario, id }: Check): boolean =>
  !inapplicable.includes(scenario) && !INAPPLICABLE_CHECKS.includes(id);
