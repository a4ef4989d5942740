import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { findProgram, testWith } from '../support/programs.js';

const FILE = 'deploy/prometheus/alerts.yml';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

const rules = async (): Promise<Rule[]> => {
  const { groups } = parse(await readFile(FILE, 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap((group) => group.rules);
};

test('every alert has a name of its own, a severity, and a summary', async () => {
  const all = await rules();
  expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length);
  for (const { alert, expr, for: duration = '0s', labels, annotations, ...rest } of all) {
    expect(rest).toEqual({});
    expect(alert).toMatch(/^Teamspaces[A-Za-z]+$/);
    expect(duration).toMatch(/^\d+[smh]$/);
    expect(labels).toEqual({ severity: expect.stringMatching(/^(critical|warning|info)$/) });
    expect(Object.keys(annotations)).toEqual(['summary']);
    for (const [opening, closing] of ['()', '{}', '[]']) {
      expect(expr.split(String(opening)).length).toBe(expr.split(String(closing)).length);
    }
  }
});

test('docs/operating.md says of every alert what to do', async () => {
  const docs = await readFile('docs/operating.md', 'utf8');
  const told = [...docs.matchAll(/^\| `(Teamspaces\w+)` \|/gm)].map(([, name]) => name);
  expect(told).toEqual((await rules()).map(({ alert }) => alert));
});

testWith('promtool')('promtool takes the rules', async () => {
  await promisify(execFile)(String(findProgram('promtool')), ['check', 'rules', FILE]);
});
