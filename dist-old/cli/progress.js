import { SingleBar } from 'cli-progress';
/** @param total how many steps there will be */
export function showProgress(title, total) {
    console.log(title);
    return process.stdout.isTTY ? showBar(total) : showTenths(total);
}
function showBar(total) {
    const bar = new SingleBar({
        format: '{bar} {value} of {total}, {eta_formatted} left',
        barCompleteChar: '█',
        barIncompleteChar: '░',
        stream: process.stdout,
        // The command itself handles interruptions.
        gracefulExit: false,
    });
    bar.start(total, 0);
    return {
        reach: (done) => bar.update(done),
        end: (text) => {
            bar.stop();
            console.log(text);
        },
    };
}
function showTenths(total) {
    let tenth = 0;
    return {
        reach: (done) => {
            const reached = Math.floor((done * 10) / total);
            if (reached > tenth) {
                console.log(`  ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`);
            }
            tenth = Math.max(tenth, reached);
        },
        end: (text) => console.log(text),
    };
}
//# sourceMappingURL=progress.js.map