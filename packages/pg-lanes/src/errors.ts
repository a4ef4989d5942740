/** What each code means. */
const MEANINGS = {
  busy: 'a lock or a connection was not available in time, and nothing has happened',
  outcome_unknown: 'nobody can know whether this was committed',
  too_many_reads: 'too many large reads are in progress',
  too_many_streams: 'too many large responses are being sent',
};

export type LaneErrorCode = keyof typeof MEANINGS;

/** Work that was refused, or lost. `cause` is the error of the driver or of the gate. */
export class LaneError extends Error {
  constructor(
    readonly code: LaneErrorCode,
    cause?: unknown,
  ) {
    super(MEANINGS[code], { cause });
  }
}
