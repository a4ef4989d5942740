import { counted } from '../counted.js';
import { print } from '../print.js';
import { assertService, clientOf } from '../service-client.js';
import type { Service, Target } from '../service-options.js';

/** Deletions that one request brings. */
export const PAGE = 1000;

/** `, by Ada`, if it is known who deleted it. */
export const nameOfDeleter = ({ deletedBy }: { deletedBy: { name: string } | null }): string =>
  deletedBy ? `, by ${deletedBy.name}` : '';

/** Prints the deletions of a workspace, a line each. */
export async function listTrash(target: Target): Promise<void> {
  await assertService(target);
  const query = { team_slug: target.team, workspace_slug: target.workspace, limit: PAGE };
  let count = 0;
  for await (const deletion of clientOf(target).list('/collections/trash', { params: { query } })) {
    const { id, name, pages, collections, deletedAt } = deletion;
    const holds = `${counted(collections, 'collection')}, ${counted(pages, 'page')}`;
    print(`${deletedAt}  ${id}  ${name} (${holds})${nameOfDeleter(deletion)}`);
    count++;
  }
  if (count === 0) print('The trash is empty.');
}

export async function purgeFromTrash(service: Service, id: string): Promise<void> {
  await assertService(service);
  await clientOf(service).DELETE('/collections/trash/{id}', { params: { path: { id } } });
  print(`Purged ${id}.`);
}
