import { type Space, TEXT } from '../loader/job.js';
import { everyoneWide, everyoneWithTwo, type Shape, shapes } from '../shapes.js';
import {
  type Address,
  calls,
  counted,
  cycle,
  firstPage,
  firstParent,
  longForm,
  type Operation,
  owner,
  serviceRow,
  shortForm,
  teamPath,
  uncounted,
} from './operation.js';

const PAGE = { name: 'Page {n}', object: 'item' };
const PAGES = 100;
const APPLIED = 1000;

const batch = Array.from({ length: PAGES - 1 }, (_, n) => ({ ...PAGE, name: `Page {n} ${n}` }));

const create = (at: Address) =>
  owner('POST', at, (space) => ({ ...PAGE, parent: firstParent(space) }));
const remove = (at: Address) => owner('DELETE', (space) => at(space, '/{kept}'));
/** Cleans up: nothing stays in the trash. */
const removeForGood = (at: Address) =>
  owner('DELETE', (space) => {
    const path = at(space, '/{kept}');
    return `${path}${path.includes('?') ? '&' : '?'}permanent=true`;
  });

const createMany = (at: Address) =>
  cycle(
    counted(
      owner(
        'POST',
        (space) => at(space, '/batch'),
        () => ({ items: [{ name: 'Batch {n}', children: batch }] }),
      ),
      '0.id',
    ),
    uncounted(removeForGood(at)),
  );

/** The pages of a manifest, of which the first ones have another content each time. */
const manifest = (changing: number): object => ({
  items: [
    {
      ...{ key: 'bench', name: 'Applied' },
      children: Array.from({ length: APPLIED - 1 }, (_, n) => ({
        ...{ key: `bench/${n}`, name: `Page ${n}`, object: 'item' },
        content: { type: 'doc', text: TEXT.slice(0, 100), ...(n < changing && { saved: '{n}' }) },
      })),
    },
  ],
});

/** Applies a manifest again, of which some pages have changed: it is made first, and deleted in the end. */
const apply = (at: Address, changing: number) => {
  const put = owner(
    'PUT',
    (space) => at(space, '/apply'),
    () => manifest(changing),
  );
  return cycle(
    uncounted(put, 'ids.bench'),
    counted(put),
    counted(put),
    uncounted(removeForGood(at)),
  );
};

/** Reverses the pages of a collection, and reverses them again. */
function order(at: Address): Operation['scenario'] {
  const put = (isReversed: boolean) =>
    owner(
      'PUT',
      (space) => at(space, '/order'),
      (space) => {
        const parent = firstParent(space);
        const ids = space.pages.filter((page) => page.parent === parent).map(({ id }) => id);
        return { parent, children: isReversed ? ids.reverse() : ids };
      },
    );
  return cycle(counted(put(true)), counted(put(false)));
}

const move = (at: Address, index: number) =>
  owner(
    'POST',
    (space) => at(space, '/reorder'),
    (space) => ({ id: firstPage(space).id, index }),
  );

const purge = (at: Address) => owner('DELETE', (space) => at(space, '/trash/{kept}'));

const deletePage = (at: Address) =>
  cycle(uncounted(create(at), 'id'), counted(remove(at)), uncounted(purge(at)));

/** A page in the trash, and what is done with it. */
const trashed = (at: Address, ...steps: Parameters<typeof cycle>) =>
  cycle(uncounted(create(at), 'id'), uncounted(remove(at)), ...steps);

/** The operations of the trash, in both forms. */
const trashRows = (at: Address, form: string): Operation[] => [
  serviceRow(
    `getTrash${form}`,
    trashed(at, counted(owner('GET', (space) => at(space, '/trash'))), uncounted(purge(at))),
    { details: ' of one' },
  ),
  serviceRow(
    `restoreFromTrash${form}`,
    trashed(
      at,
      counted(
        owner(
          'POST',
          (space) => at(space, '/trash/{kept}/restore'),
          () => ({}),
        ),
      ),
      uncounted(removeForGood(at)),
    ),
    { details: ', a page' },
  ),
  serviceRow(`purgeFromTrash${form}`, trashed(at, counted(purge(at))), { details: ', a page' }),
  serviceRow(
    `emptyTrash${form}`,
    trashed(at, counted(owner('DELETE', (space) => at(space, '/trash')))),
    { details: ' of one' },
  ),
];

/** A save of a page whose author nobody knows, which keeps a version, and what is done with its newest one. */
const versioned = (at: Address, ...steps: Parameters<typeof cycle>) =>
  cycle(
    uncounted(
      owner(
        'PUT',
        (space) => at(space, `/${firstPage(space).id}`),
        () => ({ content: { text: '{n}' } }),
      ),
    ),
    uncounted(
      owner('GET', (space) => at(space, versions(space))),
      '0.version',
    ),
    ...steps,
  );
const versions = (space: Space, more = '') => `/${firstPage(space).id}/versions${more}`;

/** Reads of versions, and their restore. */
const versionRows = (at: Address, form: string): Operation[] => [
  serviceRow(
    `getVersions${form}`,
    versioned(at, counted(owner('GET', (space) => at(space, versions(space))))),
  ),
  serviceRow(
    `getVersion${form}`,
    versioned(at, counted(owner('GET', (space) => at(space, versions(space, '/{kept}'))))),
  ),
  serviceRow(
    `restoreVersion${form}`,
    versioned(
      at,
      counted(
        owner(
          'POST',
          (space) => at(space, versions(space, '/{kept}/restore')),
          () => ({}),
        ),
      ),
    ),
  ),
];

/** The last rows: the saves of one caller leave no other version for ten minutes. */
const purgeRow = (at: Address, form: string): Operation =>
  serviceRow(
    `purgeVersions${form}`,
    cycle(counted(owner('DELETE', (space) => at(space, versions(space))))),
  );

const duplicate = (at: Address) =>
  cycle(
    counted(
      owner(
        'POST',
        (space) => at(space, `/${firstPage(space).id}/duplicate`),
        () => ({}),
      ),
      'id',
    ),
    uncounted(removeForGood(at)),
  );

/** A page goes to the other workspace of its team, and is deleted there. */
const transfer = (at: Address) =>
  cycle(
    uncounted(create(at), 'id'),
    counted(
      owner(
        'POST',
        (space) => at(space, '/{kept}/transfer'),
        ({ workspace }) => ({ workspace_slug: workspace === 'archive' ? 'space' : 'archive' }),
      ),
    ),
    uncounted(owner('DELETE', () => '/collections/{kept}?permanent=true')),
  );
const ofTransfer = { details: ', a page', shapes: everyoneWithTwo };

/** The first 20 items of the first load. */
const changes = (at: Address) =>
  calls(
    owner('GET', (space) => {
      const path = at(space, '/changes');
      return `${path}${path.includes('?') ? '&' : '?'}limit=20`;
    }),
  );
const ofChanges = { details: ', first load, 20 items', cost: 'getChanges, first load' };

/** Three letters, which all names have. */
const find = (path: (space: Space) => string) =>
  calls(owner('GET', (space) => `${path(space)}${path(space).includes('?') ? '&' : '?'}q=pag`));
const search = (at: Address) => find((space) => at(space, '/search'));
const ofSearch = { details: ' of 50 names' };

/** One user in one workspace with so many names. */
const searchOf = (names: number, connections: number, shape: Shape[]): Operation =>
  serviceRow('searchCollections', search(shortForm), {
    name: `search${names}`,
    title: `\`searchCollections\` of ${names.toLocaleString('en')} names`,
    connections,
    shapes: () => shape,
  });

const patch = (at: Address) =>
  calls(
    owner(
      'PATCH',
      (space) => at(space, `/${firstPage(space).id}/content`),
      () => [{ op: 'add', path: '/saved', value: '{n}' }],
    ),
  );

const ofBatch = { details: `, ${PAGES} items`, cost: 'createCollections, 100 pages' };
const ofApply = (changing: number) => ({
  ...(changing > 0 && { name: `applyCollections${changing}` }),
  details: changing > 0 ? `, ${changing} of 1,000 changed` : ', 1,000 unchanged',
  cost: `applyCollections, 100 pages ${changing > 0 ? 'of which some change' : 'that are there'}`,
});
const ofOrder = { details: ', 9 pages', cost: 'orderCollections, of a collection' };
const ofDelete = { details: ', a page', cost: 'deleteCollection, a page' };
const ofPatch = { details: ', one member of a page' };
const ofPage = { details: ', page of 1 kB', shapes: everyoneWide };

/** Collections and pages: operations that no baseline has, and the long forms of all. */
export const SERVICE_CONTENT: readonly Operation[] = [
  serviceRow('getChanges', changes(shortForm), ofChanges),
  serviceRow('getChangesInWorkspace', changes(longForm), ofChanges),
  serviceRow('searchCollections', search(shortForm), ofSearch),
  serviceRow('searchCollectionsInWorkspace', search(longForm), ofSearch),
  serviceRow(
    'searchTeam',
    find((space) => `${teamPath(space)}/search`),
    ofSearch,
  ),
  searchOf(2_000, 8, shapes('search2k', 1, 20, 99)),
  searchOf(100_000, 2, shapes('search100k', 1, 100, 999)),
  serviceRow('createCollections', createMany(shortForm), ofBatch),
  serviceRow('applyCollections', apply(shortForm, 0), ofApply(0)),
  serviceRow('applyCollections', apply(shortForm, 20), ofApply(20)),
  serviceRow('applyCollectionsInWorkspace', apply(longForm, 0), ofApply(0)),
  serviceRow('orderCollections', order(shortForm), ofOrder),
  serviceRow('patchContent', patch(shortForm), ofPatch),
  serviceRow('duplicateCollection', duplicate(shortForm), { details: ', a page' }),
  serviceRow('transferCollection', transfer(shortForm), ofTransfer),
  serviceRow('deleteCollection', deletePage(shortForm), ofDelete),
  serviceRow('getCollectionsInWorkspace', calls(owner('GET', longForm)), {
    ...{ details: ' of 50', cost: 'getCollections, repeated' },
  }),
  serviceRow(
    'createCollectionInWorkspace',
    cycle(counted(create(longForm), 'id'), uncounted(removeForGood(longForm))),
    { details: ', a page', cost: 'createCollection, a page in a collection' },
  ),
  serviceRow('createCollectionsInWorkspace', createMany(longForm), ofBatch),
  serviceRow('orderCollectionsInWorkspace', order(longForm), ofOrder),
  serviceRow('reorderItemInWorkspace', calls(move(longForm, 8), move(longForm, 0)), {
    cost: 'reorderItem, in its list',
  }),
  serviceRow(
    'getCollectionByKey',
    calls(owner('GET', (space) => `${shortForm(space, '/by-key')}&key=first`)),
    ofPage,
  ),
  serviceRow(
    'getCollectionByKeyInWorkspace',
    calls(owner('GET', (space) => longForm(space, '/by-key?key=first'))),
    ofPage,
  ),
  serviceRow(
    'getCollectionBySlugInWorkspace',
    calls(owner('GET', (space) => longForm(space, `/by-slug/${firstPage(space).slug}`))),
    ofPage,
  ),
  serviceRow(
    'getCollectionInWorkspace',
    calls(owner('GET', (space) => longForm(space, `/${firstPage(space).id}`))),
    { ...ofPage, cost: 'getCollection, in a workspace' },
  ),
  serviceRow(
    'updateCollectionInWorkspace',
    calls(
      owner(
        'PUT',
        (space) => longForm(space, `/${firstPage(space).id}`),
        () => ({ content: { type: 'doc', text: TEXT.slice(0, 100), saved: '{n}' } }),
      ),
    ),
    { details: ', content', cost: 'updateCollection, content' },
  ),
  serviceRow('patchContentInWorkspace', patch(longForm), ofPatch),
  serviceRow('duplicateCollectionInWorkspace', duplicate(longForm), { details: ', a page' }),
  serviceRow('transferCollectionInWorkspace', transfer(longForm), ofTransfer),
  serviceRow('deleteCollectionInWorkspace', deletePage(longForm), ofDelete),
  ...trashRows(shortForm, ''),
  ...trashRows(longForm, 'InWorkspace'),
  ...versionRows(shortForm, ''),
  ...versionRows(longForm, 'InWorkspace'),
  purgeRow(shortForm, ''),
  purgeRow(longForm, 'InWorkspace'),
];
