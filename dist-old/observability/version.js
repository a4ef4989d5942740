import { readFileSync } from 'node:fs';
/** The version in package.json; the same from src/ and from dist/. */
export function versionOfPackage() {
    const file = new URL('../../package.json', import.meta.url);
    return JSON.parse(readFileSync(file, 'utf8')).version;
}
//# sourceMappingURL=version.js.map