import { COMPARED } from './operations/compared.js';
import { MANY_USERS } from './operations/many-users.js';
import { ONE_USER } from './operations/one-user.js';
import { SERVICE_CONTENT } from './operations/service-content.js';
import { SERVICE_PEOPLE } from './operations/service-people.js';
/** All rows of the benchmark: at least one for each operation of the API. */
export const OPERATIONS = [
    ...ONE_USER,
    ...MANY_USERS,
    ...COMPARED,
    ...SERVICE_PEOPLE,
    ...SERVICE_CONTENT,
];
