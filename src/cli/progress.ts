import { SingleBar } from 'cli-progress';
import { print } from './print.js';

/** Shows progress: a bar in a terminal, otherwise a line for each tenth. */
export interface Progress {
  /** Sets the number of completed steps. */
  reach(done: number): void;
  /** Prints the last line. */
  end(text: string): void;
}

/** @param total how many steps there will be */
export function showProgress(title: string, total: number): Progress {
  print(title);
  return process.stdout.isTTY ? showBar(total) : showTenths(total);
}

function showBar(total: number): Progress {
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
      print(text);
    },
  };
}

function showTenths(total: number): Progress {
  let tenth = 0;
  return {
    reach: (done) => {
      const reached = Math.floor((done * 10) / total);
      if (reached > tenth) {
        print(`  ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`);
      }
      tenth = Math.max(tenth, reached);
    },
    end: (text) => print(text),
  };
}
