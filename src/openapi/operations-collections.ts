import {
  LIMIT_OF_PAGES,
  NO_ITEM,
  NO_PLACE,
  NO_TEAM,
  NO_WORKSPACE,
  NOT_MEMBER,
  READ_ONLY,
  STALE,
} from './messages.js';
import type { OperationNotes } from './operation-notes.js';

const READER = 'access to the workspace';
const WRITER = '`full` access to the workspace';
const READING = { forbidden: [NOT_MEMBER], not_found: [NO_TEAM, NO_WORKSPACE] };
const WRITING = { forbidden: [NOT_MEMBER, READ_ONLY], not_found: [NO_TEAM, NO_WORKSPACE] };
const NOT_A_PAGE = 'content can only be given for a page (object item)';
const PAGE_AS_PARENT = 'parent must be a collection, not a page';

/** The operations on collections and pages, by the id of their short form. */
export const COLLECTION_OPERATIONS: Record<string, OperationNotes> = {
  getCollections: {
    takes: READER,
    answer: 'The tree: the array holds the top level, `children` nests the rest.',
    headers: ['ETag', 'Link'],
    errors: {
      ...READING,
      bad_request: [
        NO_PLACE,
        'limit must be a whole number from 1 to 1000',
        'cursor has expired, since the list was rearranged: start again without it',
      ],
      not_found: [...READING.not_found, 'parent not found: check the id'],
      unprocessable_entity: [PAGE_AS_PARENT],
    },
  },
  createCollection: {
    takes: WRITER,
    answer: 'The new collection or page.',
    errors: {
      bad_request: [NO_PLACE, 'name must be 1 to 32 characters'],
      forbidden: [...WRITING.forbidden, LIMIT_OF_PAGES],
      not_found: [...WRITING.not_found, 'parent not found: check the id'],
      unprocessable_entity: [PAGE_AS_PARENT, NOT_A_PAGE],
    },
  },
  createCollections: {
    takes: WRITER,
    answer: 'The items that were created, nested as in a list.',
    errors: {
      bad_request: [NO_PLACE, 'items[2].children[0].name must be 1 to 32 characters'],
      forbidden: [...WRITING.forbidden, LIMIT_OF_PAGES],
      not_found: [...WRITING.not_found, 'parent not found: check the id'],
      unprocessable_entity: [
        PAGE_AS_PARENT,
        'items[0].children can only be given for a collection, not a page',
      ],
    },
  },
  orderCollections: {
    takes: WRITER,
    answer: 'A message.',
    errors: {
      bad_request: [NO_PLACE],
      forbidden: WRITING.forbidden,
      not_found: [...WRITING.not_found, 'parent not found: check the id'],
      conflict: [
        'children lacks 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c32, which is there now: read the list again',
        STALE,
      ],
      unprocessable_entity: [
        PAGE_AS_PARENT,
        'children[0] must not be the item itself or lie in its own subtree',
      ],
    },
  },
  reorderItem: {
    takes: WRITER,
    answer: 'A message.',
    errors: {
      bad_request: [NO_PLACE, 'index must be a whole number from 0'],
      forbidden: WRITING.forbidden,
      not_found: [...WRITING.not_found, NO_ITEM, 'newParent not found: check the id'],
      conflict: ['parent is not the current parent of the item: read it again', STALE],
      unprocessable_entity: [
        'newParent must be a collection, not a page',
        'newParent must not be the item itself or lie in its own subtree',
        'object must be item, which the item is',
      ],
    },
  },
  getCollection: {
    takes: READER,
    answer: 'The item with its content and, on a collection, its direct children.',
    headers: ['ETag'],
    errors: { not_found: [NO_ITEM] },
  },
  getCollectionBySlug: {
    takes: READER,
    answer: 'The item with its content and, on a collection, its direct children.',
    headers: ['ETag'],
    errors: {
      ...READING,
      bad_request: [NO_PLACE],
      not_found: [...READING.not_found, NO_ITEM],
    },
  },
  updateCollection: {
    takes: WRITER,
    answer: 'The item as it is now.',
    headers: ['ETag'],
    errors: {
      bad_request: ['name must be 1 to 32 characters', 'content must be a JSON object'],
      forbidden: [READ_ONLY],
      not_found: [NO_ITEM, 'parent not found: check the id'],
      conflict: [STALE],
      unprocessable_entity: [
        PAGE_AS_PARENT,
        'parent must not be the item itself or lie in its own subtree',
        NOT_A_PAGE,
      ],
    },
  },
  deleteCollection: {
    takes: WRITER,
    answer: 'A message.',
    errors: { forbidden: [READ_ONLY], not_found: [NO_ITEM], conflict: [STALE] },
  },
};
