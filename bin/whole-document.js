import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const LONG_FORM = '/teams/{team_slug}/workspaces/{workspace_slug}';
const PLACE = [
  ['team_slug', 'Slug of the team.', 'acme'],
  ['workspace_slug', 'Slug of the workspace.', 'handbook'],
].map(([name, description, example]) => ({
  ...{ name, in: 'path', required: true, description, example },
  schema: { type: 'string' },
}));

/**
 * Adds to a document what the golden one leaves out: the long form of each operation on collections,
 * which is its short form with the workspace in the path.
 * @template Document
 * @param {Document} document
 * @returns {Document}
 */
export function withLongForms(document) {
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    if (!path.startsWith('/collections')) return [[path, methods]];
    const long = Object.entries(methods).map(([method, operation]) => [
      method,
      longForm(`${method.toUpperCase()} ${path}`, operation),
    ]);
    return [
      [path, methods],
      [`${LONG_FORM}${path}`, Object.fromEntries(long)],
    ];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

const longForm = (short, { operationId, summary, description, parameters, ...shared }) => ({
  ...shared,
  operationId: `${operationId}InWorkspace`,
  tags: ['collections by path'],
  summary: `${summary} (workspace in the path)`,
  description: `The long form of \`${short}\`.\n\n${description}`,
  parameters: [...PLACE, ...parameters.filter(({ name }) => PLACE.every((at) => at.name !== name))],
});

// node bin/whole-document.js: prints the golden document with the long forms
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const golden = new URL('../test/contract/golden/openapi.json', import.meta.url);
  process.stdout.write(JSON.stringify(withLongForms(JSON.parse(readFileSync(golden, 'utf8')))));
}
