import { NoResponseError } from 'teamspaces-client';

/** Whether there was no response, or not in time. */
const isSilence = (error) => error instanceof NoResponseError || error.name === 'TimeoutError';

/** Whether the same request may succeed later. The status decides, since the response may be a proxy's, without a code. */
export const isPassing = (error) =>
  isSilence(error) ||
  error.status === 429 ||
  error.status >= 500 ||
  error.response?.headers.has('retry-after') === true;

/** Milliseconds until a failed request makes sense again. A proxy may send a date, which is not read. */
export const pauseAfter = (error, otherwise) =>
  Math.max(1000 * (Number(error.response?.headers.get('retry-after')) || 0), otherwise);

/** What a person is told, in one sentence. The messages of the service are meant for them. */
export function sentenceOf(error) {
  if (isSilence(error)) return 'The service does not respond: try again later.';
  if (error.status === 429) {
    return `Too many requests: try again in ${pauseAfter(error, 1000) / 1000} s.`;
  }
  const { message } = error;
  return `${message[0].toUpperCase()}${message.slice(1)}.`;
}
