import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ended } from '../support/command.js';
import { aFolder } from '../support/folders.js';
import type { NpmPrograms } from '../support/npm-programs.js';

/** A check of the protocol's conformance suite. */
export interface Check {
  scenario: string;
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/**
 * Runs all scenarios of the protocol's conformance suite that there are for a revision, against a server at
 * an address. The suite ends with an error, since most scenarios are about its own server.
 */
export async function runConformance(
  { node, modules }: NpmPrograms,
  { suite, revision, url }: { suite: string; revision: string; url: string },
): Promise<Check[]> {
  const folder = await aFolder();
  const { output } = await ended(
    node,
    [
      ...[join(modules, suite, 'dist/index.js'), 'server', '--url', url, '--suite', 'all'],
      ...['--spec-version', revision, '--output-dir', folder],
    ],
    { cwd: folder, env: { PATH: process.env.PATH } },
  );
  const results = await readdir(folder);
  if (results.length === 0) throw new Error(output);
  const checks = results.map(async (result) => {
    const [, scenario = ''] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(result) ?? [];
    const text = await readFile(join(folder, result, 'checks.json'), 'utf8');
    return (JSON.parse(text) as Check[]).map((check) => ({ ...check, scenario }));
  });
  return (await Promise.all(checks)).flat();
}

/** Scenarios that do not apply, by what the service would need for them. */
export const INAPPLICABLE_SCENARIOS: Record<string, string[]> = {
  "a tool of the suite's own server": [
    'http-custom-header-server-validation',
    'json-schema-2020-12',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-error',
    'tools-call-image',
    'tools-call-mixed-content',
    'tools-call-simple-text',
    'tools-call-with-logging',
    'tools-call-with-progress',
  ],
  "a resource of the suite's own server": [
    'resources-read-binary',
    'resources-read-text',
    'resources-templates-read',
  ],
  'a tool that asks the user or the model': [
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'input-required-result-basic-elicitation',
    'input-required-result-basic-list-roots',
    'input-required-result-basic-sampling',
    'input-required-result-capability-check',
    'input-required-result-ignore-extra-params',
    'input-required-result-missing-input-response',
    'input-required-result-multi-round',
    'input-required-result-multiple-input-requests',
    'input-required-result-non-tool-request',
    'input-required-result-request-state',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'input-required-result-validate-input',
    'tools-call-elicitation',
    'tools-call-sampling',
  ],
  prompts: [
    // Of an argument of a prompt.
    'completion-complete',
    'prompts-get-embedded-resource',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-with-image',
    'prompts-list',
  ],
  'a session or a stream': [
    'logging-set-level',
    'resources-subscribe',
    'resources-unsubscribe',
    'server-session-lifecycle',
    'server-sse-polling',
  ],
};

/** The same for checks of scenarios that apply otherwise. */
export const INAPPLICABLE_CHECKS = [
  // A session: without one, the suite tests less.
  'server-sse-multiple-streams-session',
  // Prompts.
  'sep-2549-prompts-list-caching-hints',
  // A tool of the suite's own server.
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
];
