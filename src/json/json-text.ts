/** A value of a body that is kept as JSON text and never built. */
export class JsonText {
  constructor(
    /** Without white space and without repeated members; numbers keep their digits. */
    readonly text: string,
    /** What is wrong with it, such as `must be a JSON object`, or null. */
    readonly problem: string | null,
  ) {}
}
