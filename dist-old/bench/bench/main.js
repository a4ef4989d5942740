import { Databases } from './databases.js';
import { measureGrowth } from './growth.js';
import { Loader } from './load.js';
import { measureMemory } from './memory.js';
import { parseOptions } from './options.js';
import { publish, warnIfBusy } from './publish.js';
import { compareAll } from './ratios.js';
const MODES = {
    ratios: compareAll,
    growth: measureGrowth,
    memory: measureMemory,
};
/** `npm run bench`: see options.ts. Whatever happens, its children end and its databases go. */
async function main() {
    const options = parseOptions(process.argv.slice(2));
    warnIfBusy();
    const databases = await Databases.connect(options.databaseUrl);
    const loader = new Loader();
    try {
        const run = MODES[options.mode](databases, loader, options);
        await publish(await Promise.race([run, interrupted()]), options, databases);
    }
    finally {
        loader.stop();
        await databases.close();
    }
}
function interrupted() {
    return new Promise((_, reject) => {
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
            process.once(signal, () => reject(new Error(`Ended by ${signal}`)));
        }
    });
}
main().then(() => process.exit(0), (error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
});
