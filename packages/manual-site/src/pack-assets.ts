import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ASSETS, Asset, PACKED, packedFile } from './assets.js';

// A part of the build: compresses the files of the pages, so that no first request waits for that. What the last
// build has compressed is used again.
await mkdir(PACKED, { recursive: true });
const assets = await Promise.all(Object.values(ASSETS).map((source) => Asset.read(source)));
const packed = assets.flatMap((asset) =>
  (['br', 'gzip'] as const).map(async (encoding) => {
    const file = packedFile(asset.version, encoding);
    const content = await asset.as(encoding);
    // At once: a build may be interrupted.
    await writeFile(`${file}.part`, content);
    await rename(`${file}.part`, file);
    return basename(file);
  }),
);
const current = await Promise.all(packed);
const outdated = (await readdir(PACKED)).filter((name) => !current.includes(name));
await Promise.all(outdated.map((name) => rm(join(PACKED, name))));
