import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchorsOf, pages, proseOf } from './markdown.js';

const files = [...pages(), 'CHANGELOG.md'];

/** Where a page leads: links, pictures and addresses. */
function targetsOf(file: string): string[] {
  const prose = proseOf(file);
  const patterns = [/\]\(([^)\s]+)\)/g, /(?:src|href)="([^"]+)"/g, /<(https?:[^>]+)>/g];
  return patterns.flatMap((pattern) =>
    [...prose.matchAll(pattern)].map(([, target]) => `${target}`),
  );
}

/** What is wrong with a link, or null. */
function problemOf(file: string, target: string): string | null {
  if (/^https?:/.test(target)) return URL.canParse(target) ? null : 'is no address';
  const [path = '', anchor] = target.split('#');
  const goal = path === '' ? file : normalize(join(dirname(file), path));
  if (!existsSync(goal)) return 'leads nowhere';
  if (anchor === undefined) return null;
  if (statSync(goal).isDirectory() || !goal.endsWith('.md')) return 'has an anchor in no page';
  return anchorsOf(goal).includes(anchor) ? null : 'has an anchor that is not there';
}

test('every link leads somewhere', () => {
  const links = files.flatMap((file) => targetsOf(file).map((target) => ({ file, target })));
  expect(links.length).toBeGreaterThan(60);
  const broken = links.flatMap(({ file, target }) => {
    const problem = problemOf(file, target);
    return problem === null ? [] : [`${file}: ${target} ${problem}`];
  });
  expect(broken).toEqual([]);
});

test('every page can be reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const file of reached) {
    if (!file.endsWith('.md')) continue;
    for (const target of targetsOf(file)) {
      const path = target.split('#')[0] ?? '';
      if (path !== '' && !/^\w+:/.test(path)) reached.add(normalize(join(dirname(file), path)));
    }
  }
  expect(files.filter((file) => !reached.has(file))).toEqual([]);
});

test('every npm script that a page names is there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bnpm run (?:--silent )?([a-z][\w:]*)/g)].map(
      ([, name]) => `${file}: ${name}`,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((one) => scripts[one.split(': ')[1] ?? ''] === undefined)).toEqual([]);
});

test('every file and folder that a page names is there', () => {
  const known = /^(src|cli|test|docs|clients|prisma|bench|deploy|\.ci)\/[\w./-]+$/;
  const named = files
    .filter((file) => !/^(CHANGELOG|docs\/adding-.*)\.md$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/`([^`\n]+)`/g)]
        .map(([, code = '']) => code)
        .filter((code) => known.test(code))
        .map((path) => ({ file, path })),
    );
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(({ path }) => !existsSync(path) && !/generated|\/dist\//.test(path));
  expect(missing).toEqual([]);
});

test('the page on the architecture names every file of the tree writer, and no other', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const table = /\| File in `collections\/writer\/`[\s\S]*?\n\n/.exec(page)?.[0] ?? '';
  const named = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z.-]+)`/g)])
    .map(([, name]) => `${name}.ts`);
  expect(named.sort()).toEqual(readdirSync('src/collections/writer').sort());
});
