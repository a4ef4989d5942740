import { progress } from '@clack/prompts';

/** Shows how far something is: a bar in a terminal, else a line for each tenth. */
export interface Progress {
  /** One more is done. */
  step(what: string): void;
  /** Something to know meanwhile. */
  note(text: string): void;
  /** It is over: the last line. */
  end(text: string): void;
}

/** Columns of a terminal that the bar and the count take. */
const COUNTED = 68;

/** @param total how many steps there will be */
export function showProgress(title: string, total: number): Progress {
  let done = 0;
  const count = (): string => `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  if (!process.stdout.isTTY) {
    console.log(title);
    let tenth = 0;
    return {
      step: () => {
        done++;
        const reached = Math.floor((done * 10) / total);
        if (reached > tenth) console.log(`  ${count()}`);
        tenth = Math.max(tenth, reached);
      },
      note: (text) => console.log(`  ${text}`),
      end: (text) => console.log(text),
    };
  }
  const bar = progress({ max: total, style: 'block' });
  bar.start(title);
  return {
    step: (what) => {
      done++;
      const room = (process.stdout.columns || 80) - COUNTED;
      bar.advance(1, room < 10 ? count() : `${count()}  ${what.slice(-room)}`);
    },
    note: (text) => bar.message(text),
    end: (text) => bar.stop(text),
  };
}
