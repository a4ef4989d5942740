import { SingleBar } from 'cli-progress';

/** Shows how far something is: a bar in a terminal, else a line for each tenth. */
export interface Progress {
  /** One more is done. */
  step(): void;
  /** Something to know meanwhile. */
  note(text: string): void;
  /** It is over: the last line. */
  end(text: string): void;
}

/** @param total how many steps there will be */
export function showProgress(title: string, total: number): Progress {
  console.log(title);
  return process.stdout.isTTY ? showBar(total) : showTenths(total);
}

function showBar(total: number): Progress {
  const bar = new SingleBar({
    format: '{bar} {value} of {total}, {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    stream: process.stdout,
    // The command itself sees to interruptions.
    gracefulExit: false,
  });
  bar.start(total, 0);
  return {
    step: () => bar.increment(),
    note: (text) => {
      process.stdout.write(`\n${text}\n`);
    },
    end: (text) => {
      bar.stop();
      console.log(text);
    },
  };
}

function showTenths(total: number): Progress {
  let done = 0;
  let tenth = 0;
  return {
    step: () => {
      done++;
      const reached = Math.floor((done * 10) / total);
      if (reached > tenth) {
        console.log(`  ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`);
      }
      tenth = Math.max(tenth, reached);
    },
    note: (text) => console.log(`  ${text}`),
    end: (text) => console.log(text),
  };
}

/** `1 page`, `2 pages`. */
export const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
