import { readFileSync } from 'node:fs';

// Prints the notes of a release: its section of CHANGELOG.md. Exits with status 1 and one sentence if the
// tag does not match a package, the image of the manifests, or the changelog.
//
//     node .ci/release-notes.js v0.1.0

const [tag = ''] = process.argv.slice(2);
const version = tag.replace(/^v/, '');

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

const read = (file) => readFileSync(file, 'utf8');
const { workspaces, repository } = JSON.parse(read('package.json'));

if (tag !== `v${version}`) fail(`${tag || 'the tag'} must have the form v0.1.0`);
// packages/ are not published.
for (const folder of ['.', ...workspaces.filter((path) => path !== 'packages/*')]) {
  const file = `${folder}/package.json`;
  const { version: found, dependencies = {} } = JSON.parse(read(file));
  if (found !== version) fail(`${file} has the version ${found}, the tag ${tag}`);
  for (const [name, range] of Object.entries(dependencies)) {
    if (/^teamspaces(-|$)/.test(name) && range.replace('^', '') !== version) {
      fail(`${file} depends on ${name} ${range}, the tag is ${tag}`);
    }
  }
}
for (const manifest of ['deploy/kubernetes/deployment.yaml', 'deploy/kubernetes/migrate.yaml']) {
  if (!read(manifest).includes(`image: ghcr.io/teamspaces/teamspaces:${version}\n`))
    fail(`${manifest} has another image than ${tag}`);
}

const changelog = read('CHANGELOG.md');
const heading = new RegExp(
  `^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`,
  'm',
);
const start = heading.exec(changelog) ?? fail(`CHANGELOG.md has no dated section for ${version}`);
const rest = changelog.slice(start.index + start[0].length);
const section = rest.slice(0, rest.search(/^(## |\[[^\]]+\]: )/m)).trim();
if (section === '') fail(`CHANGELOG.md says nothing about ${version}`);

const address = repository.url.replace(/^git\+|\.git$/g, '');
/** The forge shows each line break of a text; in the file, they only limit the width. */
const unfolded = (text) => text.replace(/(?<=\S)\n *(?=[^\s#|\d-])/g, ' ');

console.log(
  section
    // Blocks of code stay as they are: each second part.
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part, n) => (n % 2 === 0 ? unfolded(part) : part))
    .join('')
    // Links are relative to the file.
    .replace(/\]\((?!\w+:)/g, `](${address}/blob/${tag}/`),
);
