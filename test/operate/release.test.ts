import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The manifests that name the image. */
const MANIFESTS = ['deploy/kubernetes/deployment.yaml', 'deploy/kubernetes/migrate.yaml'];
const CLIENTS = ['clients/typescript', 'clients/markdown', 'clients/cli', 'clients/mcp'];
const run = promisify(execFile);

const read = (file: string): Promise<string> => readFile(file, 'utf8');

interface Package {
  name: string;
  version: string;
  private?: boolean;
  bin?: Record<string, string>;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  repository?: { directory?: string };
}
const packageOf = async (folder: string): Promise<Package & Record<string, unknown>> =>
  JSON.parse(await read(join(folder, 'package.json')));

/** Without packages/, which are private. */
const publishedFolders = async (): Promise<string[]> =>
  ((await packageOf('.')).workspaces ?? []).filter((path) => path !== 'packages/*');

describe('the packages', () => {
  test('of clients can be published, and tell npm where they come from', async () => {
    const root = await packageOf('.');
    for (const folder of CLIENTS) {
      const { name, private: isPrivate, repository, ...about } = await packageOf(folder);
      expect({ name, isPrivate, ...about }).toMatchObject({
        isPrivate: undefined,
        publishConfig: { access: 'public' },
        ...{ license: root.license, author: root.author, bugs: root.bugs, engines: root.engines },
        homepage: expect.stringContaining(folder),
        keywords: expect.arrayContaining(['teamspaces']),
        description: expect.stringMatching(/^[A-Z].+\.$/),
      });
      expect(repository).toEqual({ ...root.repository, directory: folder });
    }
  });

  test('of clients accept ranges of their dependencies, and the root has exact versions', async () => {
    const rangesOf = async (folder: string) =>
      Object.values((await packageOf(folder)).dependencies ?? {});
    for (const range of (await Promise.all(CLIENTS.map(rangesOf))).flat()) {
      expect(range).toMatch(/^\^\d/);
    }
    for (const range of await rangesOf('.')) expect(range).toMatch(/^\d/);
  });

  test.each(CLIENTS)('%s contains the build, the sources, README and LICENSE', async (folder) => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: folder });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const { bin = {} } = await packageOf(folder);
    const known = ['LICENSE', 'README.md', 'package.json', ...Object.values(bin)];
    const others = paths.filter((path) => !known.includes(path));
    const wrong = others.filter(
      (path) => !/^(dist\/.+\.(js|d\.ts|js\.map)|src\/.+\.ts)$/.test(path),
    );
    expect(wrong).toEqual([]);
    expect(others.filter((path) => path.endsWith('.d.ts')).length).toBeGreaterThan(2);
    expect(await read(join(folder, 'LICENSE'))).toBe(await read('LICENSE'));
  });
});

test('the service is not packed, and no package is left out of the release', async () => {
  await expect(run('npm', ['pack', '--dry-run'])).rejects.toThrow('npm pack -w clients/cli');
  const workspaces = await publishedFolders();
  const workflow = await read('.github/workflows/release.yml');
  const [, packed] = /npm pack .* packed( -w .*)$/m.exec(workflow) ?? [];
  expect(packed?.split(' -w ').slice(1).sort()).toEqual([...workspaces].sort());
  const [, published] = /for name in (.*); do/.exec(workflow) ?? [];
  const names = await Promise.all(workspaces.map(async (folder) => (await packageOf(folder)).name));
  expect(published?.split(' ').sort()).toEqual(names.sort());
});

describe('.ci/release-notes.js', () => {
  const SCRIPT = resolve('.ci/release-notes.js');
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'teamspaces-release-'));
    const workspaces = await publishedFolders();
    const files = [
      ...['package.json', 'CHANGELOG.md', ...MANIFESTS],
      ...workspaces.map((path) => `${path}/package.json`),
    ];
    for (const file of files) await cp(file, join(folder, file));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** What it prints for a tag, or why it fails. */
  const notes = (tag: string): Promise<string> =>
    run('node', [SCRIPT, tag], { cwd: folder }).then(
      ({ stdout }) => stdout,
      ({ stderr }) => `failed: ${stderr}`,
    );
  const edit = async (file: string, from: string | RegExp, to: string) => {
    const text = await read(join(folder, file));
    expect(text).toMatch(from);
    await writeFile(join(folder, file), text.replace(from, to));
  };

  test('prints the section of this version, with links that work elsewhere', async () => {
    const { version } = await packageOf('.');
    const printed = await notes(`v${version}`);
    expect(printed).toMatch(/^### /m);
    expect(printed).not.toMatch(/^## |^\[[^\]]+\]: |failed/m);
    const targets = [...printed.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => `${target}`);
    expect(targets.filter((target) => !URL.canParse(target))).toEqual([]);
  });

  const BLOCKS = '```sh\none\ntwo\n```\n\n1. First.\n2. Second.\n\n| a |\n| - |\n| b |';

  test('ends with the next section, and unfolds lines of text only', async () => {
    const { version } = await packageOf('.');
    const sections = [
      `## [${version}] - 2026-11-23\n\n### Fixed\n\n- One thing\n  in two [lines](docs/a.md).\n- Two.\n\n${BLOCKS}`,
      '## [0.0.9] - 2026-01-01\n\n- Old.\n',
    ];
    await edit('CHANGELOG.md', /^## \[\d[\s\S]*/m, sections.join('\n\n'));
    const address = `https://github.com/teamspaces/teamspaces/blob/v${version}/docs/a.md`;
    expect(await notes(`v${version}`)).toBe(
      `### Fixed\n\n- One thing in two [lines](${address}).\n- Two.\n\n${BLOCKS}\n`,
    );
  });

  test('fails if something does not match the tag', async () => {
    const { version } = await packageOf('.');
    expect(await notes(version)).toMatch('must have the form v0.1.0');
    expect(await notes('v9.9.9')).toMatch('failed: ./package.json has the version');
    await edit('clients/mcp/package.json', /("teamspaces-client": ")[^"]+/, '$1^0.0.9');
    expect(await notes(`v${version}`)).toMatch(
      'failed: clients/mcp/package.json depends on teamspaces-client ^0.0.9',
    );
    await cp('clients/mcp/package.json', join(folder, 'clients/mcp/package.json'));
    await edit('package.json', /("teamspaces": ")[^"]+/, '$10.0.9');
    expect(await notes(`v${version}`)).toMatch(
      'failed: ./package.json depends on teamspaces 0.0.9',
    );
    await cp('package.json', join(folder, 'package.json'));
    await edit('CHANGELOG.md', /^(## \[\d[^\]]+\]) - \S+/m, '$1');
    expect(await notes(`v${version}`)).toMatch('failed: CHANGELOG.md has no dated section for');
    await edit('CHANGELOG.md', /^(## \[\d[^\]]+\])/m, '$1 - 2026-11-23');
    for (const manifest of MANIFESTS) {
      await edit(manifest, /(image: \S+):\S+/, '$1:latest');
      expect(await notes(`v${version}`)).toMatch(`failed: ${manifest} has another image than`);
      await cp(manifest, join(folder, manifest));
    }
    expect(await notes(`v${version}`)).not.toMatch('failed');
  });
});
