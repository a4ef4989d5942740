/** A response to a request that fails. */
export interface ErrorResponse {
  $ref?: string;
  content: {
    'application/json': {
      examples: Record<
        string,
        { summary: string; value: { error: { code: string; message: string; doc_url: string } } }
      >;
    };
  };
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, ErrorResponse> }>>;
  components: { responses: Record<string, ErrorResponse> };
}

/** Every error response of an OpenAPI document with its status: those of operations, and the shared ones. */
export function errorResponsesOf({ paths, components }: Document): [string, ErrorResponse][] {
  const refs = new Map<string, string>();
  const own = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status, { $ref }]) => {
      if ($ref) refs.set($ref, status);
      return Number(status) >= 400 && !$ref;
    });
  const shared = Object.entries(components.responses).map(
    ([name, response]): [string, ErrorResponse] => [
      `${refs.get(`#/components/responses/${name}`)}`,
      response,
    ],
  );
  return [...own, ...shared];
}
