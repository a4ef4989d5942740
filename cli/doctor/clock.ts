import { type Finding, fail, ok, warn } from './finding.js';

/** The difference to another clock. */
export interface OtherClock {
  /** Whose clock it is. */
  of: string;
  /** Milliseconds that ours is ahead of it; negative: behind. */
  ahead: number;
  /** The largest error of `ahead`, in milliseconds. */
  precision: number;
}

/** Milliseconds that have no effect. */
const FINE = 2_000;
/** Milliseconds beyond which fresh tokens are rejected. */
const TOLERANCE = 30_000;

/**
 * Compares with a clock that was read over the network, at some time between sending and receiving.
 * @param times Unix epoch milliseconds: by our clock, and by the other one
 * @param times.coarse resolution of the other clock in milliseconds
 */
export function compare(
  of: string,
  times: { sent: number; received: number; said: number; coarse?: number },
): OtherClock {
  const { sent, received, said, coarse = 0 } = times;
  const ahead = (sent + received) / 2 - (said + coarse / 2);
  return { of, ahead, precision: (received - sent) / 2 + coarse / 2 };
}

/** What the differences mean for tokens and invites. */
export function clockFinding(others: OtherClock[]): Finding {
  if (others.length === 0) return warn('clock', 'There is no other clock to compare with.');
  const off = ({ ahead, precision }: OtherClock): number =>
    Math.max(0, Math.abs(ahead) - precision);
  const worst = others.reduce((a, b) => (off(b) > off(a) ? b : a));
  if (off(worst) <= FINE) {
    return ok('clock', `It agrees with ${others.map(({ of }) => of).join(' and ')}.`);
  }
  const seconds = Math.round(Math.abs(worst.ahead) / 1000);
  const differs = `This clock is ${seconds} s ${worst.ahead > 0 ? 'ahead of' : 'behind'} ${worst.of}`;
  const toDo = '30 s are tolerated. Set both by NTP.';
  return off(worst) > TOLERANCE
    ? fail('clock', `${differs}: tokens may be refused, as ${toDo}`)
    : warn('clock', `${differs}; ${toDo}`);
}
