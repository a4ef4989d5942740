import { v7 } from 'uuid';
/** A new id: UUID version 7, so that rows made together lie together. Opaque on the wire. */
export const newId = () => v7();
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** False for what cannot be an id: ours are lower-case UUIDs, and the database refuses most else. */
export const isUuid = (id) => UUID.test(id);
/** False for a slug that could not exist; also keeps NUL and lone surrogates from the database. */
export const isPossibleSlug = (slug) => /^[a-z0-9-]{1,64}$/.test(slug);
//# sourceMappingURL=ids.js.map