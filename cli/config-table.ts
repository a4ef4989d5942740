import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { NOTES, Settings } from 'teamspaces-service/config/settings';

const BEGIN = '<!-- configuration: written by npm run docs:config -->';
const END = '<!-- end of configuration -->';

/** docs/configure.md with the table of today's settings between its two markers. */
export function withConfigTable(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`The page needs ${BEGIN}`);
  return `${before}${BEGIN}\n\n${configTable()}\n\n${END}${after}`;
}

function configTable(): string {
  const rows = Object.values(Settings.shape).map((format) => {
    const { variable, about, defaultText, inProduction } = notesOf(format);
    const value = defaultText ?? inWords(format.parse(undefined));
    const differs = inProduction === undefined ? '' : `, in production \`${inProduction}\``;
    return `| \`${variable}\` | ${value}${differs} | ${about} |`;
  });
  return ['| Variable | Default | |', '| --- | --- | --- |', ...rows].join('\n');
}

function notesOf(format: (typeof Settings.shape)[keyof typeof Settings.shape]) {
  const notes = NOTES.get(format);
  if (!notes) throw new Error('A setting was declared without setting()');
  return notes;
}

function inWords(value: unknown): string {
  if (value === null) return 'unset';
  return Array.isArray(value) ? 'none' : `\`${value}\``;
}

// `npm run docs:config`
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const page = new URL('../../docs/configure.md', import.meta.url);
  writeFileSync(page, withConfigTable(readFileSync(page, 'utf8')));
}
