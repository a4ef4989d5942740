import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { findProgram, testWith } from '../support/programs.js';

const FILE = 'deploy/prometheus/alerts.yml';
const CASES = 'deploy/prometheus/alerts.test.yml';
const PAGE = 'docs/recover.md';
const MANUAL = 'https://github.com/teamspaces/teamspaces/blob/main';

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

test('every alert has a unique name, a severity, a summary and a runbook', async () => {
  const all = await rules();
  expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length);
  for (const { alert, expr, for: duration = '0s', labels, annotations, ...rest } of all) {
    expect(rest).toEqual({});
    expect(alert).toMatch(/^Teamspaces[A-Za-z]+$/);
    expect(duration).toMatch(/^\d+[smh]$/);
    expect(labels).toEqual({ severity: expect.stringMatching(/^(critical|warning|info)$/) });
    expect(Object.keys(annotations)).toEqual(['summary', 'runbook_url']);
    for (const [opening, closing] of ['()', '{}', '[]']) {
      expect(expr.split(String(opening)).length).toBe(expr.split(String(closing)).length);
    }
  }
});

test('each runbook is the section of docs/recover.md that is named after the alert', async () => {
  const sections = [...(await readFile(PAGE, 'utf8')).matchAll(/^### (Teamspaces\w+)$/gm)];
  const all = await rules();
  expect(sections.map(([, name]) => name)).toEqual(all.map(({ alert }) => alert));
  for (const { alert, annotations } of all) {
    expect(annotations.runbook_url).toBe(`${MANUAL}/${PAGE}#${alert.toLowerCase()}`);
  }
});

interface Group {
  alert_rule_test: { alertname: string; exp_alerts: object[] }[];
}

test('every alert has cases in which it fires, and in which it does not', async () => {
  const { tests } = parse(await readFile(CASES, 'utf8')) as { tests: Group[] };
  const cases = tests.flatMap((group) => group.alert_rule_test);
  const names = (await rules()).map(({ alert }) => alert);
  const inOrder = (of: typeof cases) =>
    names.filter((name) => of.some(({ alertname }) => alertname === name));
  expect(inOrder(cases.filter((one) => one.exp_alerts.length > 0))).toEqual(names);
  expect(inOrder(cases.filter((one) => one.exp_alerts.length === 0))).toEqual(names);
  // Not only before it fires: a group of its own, in which it never does.
  const silent = tests.filter((group) =>
    group.alert_rule_test.every((one) => one.exp_alerts.length === 0),
  );
  expect(inOrder(silent.flatMap((group) => group.alert_rule_test))).toEqual(names);
});

testWith('promtool')('promtool takes the rules, and each fires in its cases only', async () => {
  const run = promisify(execFile);
  const promtool = String(findProgram('promtool'));
  await run(promtool, ['check', 'rules', FILE]);
  await run(promtool, ['test', 'rules', CASES]);
});
