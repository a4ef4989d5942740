import { InternalServerError, NoResponseError, RateLimitError } from 'teamspaces-client';

/** Whether the same request may succeed later. */
export const isPassing = (error) =>
  [NoResponseError, RateLimitError, InternalServerError].some((type) => error instanceof type);

/** Milliseconds until a failed request makes sense again. */
export const pauseAfter = (error, otherwise) =>
  Math.max(1000 * Number(error.response?.headers.get('retry-after') ?? 0), otherwise);

/** What a person is told, in one sentence. The messages of the service are meant for them. */
export function sentenceOf(error) {
  if (error instanceof NoResponseError) return 'The service does not respond: try again later.';
  if (error instanceof RateLimitError) {
    return `Too many requests: try again in ${pauseAfter(error, 1000) / 1000} s.`;
  }
  const { message } = error;
  return `${message[0].toUpperCase()}${message.slice(1)}.`;
}
