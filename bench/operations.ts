import { COMPARED } from './operations/compared.js';
import { MANY_USERS } from './operations/many-users.js';
import { ONE_USER } from './operations/one-user.js';
import type { Operation } from './operations/operation.js';
import { SERVICE_CONTENT } from './operations/service-content.js';
import { SERVICE_PEOPLE } from './operations/service-people.js';
import { SLOW_NETWORK } from './operations/slow-network.js';

/** All rows of the benchmark: at least one for each operation of the API. */
export const OPERATIONS: readonly Operation[] = [
  ...ONE_USER,
  ...MANY_USERS,
  ...COMPARED,
  ...SERVICE_PEOPLE,
  ...SERVICE_CONTENT,
  ...SLOW_NETWORK,
];
