/** The envelope of an error; `says` is a part of its message. */
export const error = (code: string, says = '') => ({
  error: {
    code,
    message: expect.stringContaining(says) as string,
    doc_url: `http://localhost:3000/api-reference/errors#${code}`,
  },
});
