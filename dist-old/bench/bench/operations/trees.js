import { TEXT } from '../loader/job.js';
import { calls, counted, cycle, firstPage, owner, shortForm, uncounted } from './operation.js';
/** Reads of whole trees. */
export const trees = calls(owner('GET', (space) => shortForm(space)));
/** Saves a kilobyte. */
export const save = owner('PUT', (space) => shortForm(space, `/${firstPage(space).id}`), () => ({ content: { type: 'doc', text: TEXT, saved: '{n}' } }));
/** Reads of whole trees, each after a change of the tree, which does not count. */
export const firstReads = cycle(uncounted(save), counted(owner('GET', (space) => shortForm(space))));
