import leven from 'leven';
import { variables } from './config.js';
/** Shorter names resemble too much: HOST and HOME, PORT and POST. */
const SHORTEST = 8;
/**
 * A sentence for each variable that is set and whose name resembles that of a setting: it has no
 * effect, which is probably a mistake.
 */
export function nearMisses(env) {
    const settings = variables();
    return Object.keys(env).flatMap((name) => {
        if (settings.includes(name) || !env[name]?.trim())
            return [];
        const meant = settings.find((setting) => isNear(name.toUpperCase(), setting));
        return meant ? `${name} is not read: did you mean ${meant}?` : [];
    });
}
/** One letter in the shortest names, two in longer ones; two swapped letters count as two. */
const isNear = (name, setting) => setting.length >= SHORTEST && leven(name, setting) <= (setting.length > SHORTEST ? 2 : 1);
//# sourceMappingURL=near-misses.js.map