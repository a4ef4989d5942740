import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

export const KUSTOMIZATION = 'kustomization.yaml';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

export const parseFile = async <Content>(file: string): Promise<Content> =>
  parse(await readFile(file, 'utf8')) as Content;

export interface Kustomization {
  resources?: string[];
  components?: string[];
  patches?: { target: { kind: string; name: string }; patch: string }[];
  images?: object[];
}

/** Every kustomization below deploy/, by its folder. */
export async function kustomizations(): Promise<[string, Kustomization][]> {
  const files = await readdir('deploy', { recursive: true });
  const folders = files
    .filter((file) => file.endsWith(KUSTOMIZATION))
    .map((file) => dirname(join('deploy', file)));
  const read = async (folder: string): Promise<[string, Kustomization]> => [
    folder,
    await parseFile(join(folder, KUSTOMIZATION)),
  ];
  return Promise.all(folders.map(read));
}

/** The manifests in the folders that have a kustomization, by their files. */
export async function manifests(): Promise<[string, Manifest][]> {
  const inFolder = async ([folder]: [string, Kustomization]): Promise<[string, Manifest][]> => {
    const files = (await readdir(folder)).filter((file) => file !== KUSTOMIZATION);
    const read = async (file: string): Promise<[string, Manifest]> => [
      join(folder, file),
      await parseFile(join(folder, file)),
    ];
    return Promise.all(files.map(read));
  };
  return (await Promise.all((await kustomizations()).map(inFolder))).flat();
}
