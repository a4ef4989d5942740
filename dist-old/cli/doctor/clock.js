/** Milliseconds that have no effect. */
const FINE = 2_000;
/** Milliseconds beyond which fresh tokens are rejected. */
const TOLERANCE = 30_000;
/**
 * Compares with a clock that was read over the network, at some time between sending and receiving.
 * @param sent, received, said Unix epoch milliseconds: by our clock, and by the other one
 * @param coarse resolution of the other clock in milliseconds
 */
export function compare(of, { sent, received, said, coarse = 0, }) {
    const ahead = (sent + received) / 2 - (said + coarse / 2);
    return { of, ahead, precision: (received - sent) / 2 + coarse / 2 };
}
/** What the differences mean for tokens and invites. */
export function clockFinding(others) {
    const check = 'clock';
    if (others.length === 0) {
        return { level: 'warn', check, says: 'There is no other clock to compare with.' };
    }
    const off = ({ ahead, precision }) => Math.max(0, Math.abs(ahead) - precision);
    const worst = others.reduce((a, b) => (off(b) > off(a) ? b : a));
    if (off(worst) <= FINE) {
        return {
            level: 'ok',
            check,
            says: `It agrees with ${others.map(({ of }) => of).join(' and ')}.`,
        };
    }
    const seconds = Math.round(Math.abs(worst.ahead) / 1000);
    const differs = `This clock is ${seconds} s ${worst.ahead > 0 ? 'ahead of' : 'behind'} ${worst.of}`;
    const consequence = off(worst) > TOLERANCE ? ': tokens may be refused, as' : ';';
    const says = `${differs}${consequence} 30 s are tolerated. Set both by NTP.`;
    return { level: off(worst) > TOLERANCE ? 'fail' : 'warn', check, says };
}
//# sourceMappingURL=clock.js.map