import Sequencer from '@jest/test-sequencer';

/** Files with one long chain of requests, or that wait much: they would keep one worker busy at the end. */
const LONG = [
  ...['contract/messages', 'contract/matrix', 'api/webhooks/deliveries', 'contract/costs'],
  ...['api/people/mail', 'api/collections/changes', 'api/http', 'client/'],
  ...['auth/provider-keys', 'contract/document', 'contract/routes', 'api/docs', 'markdown/'],
];

/** Starts the longest files first; the others by what jest knows of them. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const found = LONG.findIndex((name) => path.includes(`/test/${name}`));
      return found < 0 ? LONG.length : found;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
