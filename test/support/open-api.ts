/** A response to a request that fails. */
export interface ErrorResponse {
  $ref?: string;
  headers?: Record<string, object>;
  content: {
    'application/json': {
      examples: Record<
        string,
        { summary: string; value: { error: { code: string; message: string; doc_url: string } } }
      >;
    };
  };
}

/** An OpenAPI document, as far as its responses are looked at. */
export interface Document {
  paths: Record<string, Record<string, { responses: Record<string, ErrorResponse> }>>;
  components: { responses: Record<string, ErrorResponse> };
}

/** A response without its body. */
export interface ResponseHead {
  method: string;
  path: string;
  status: number;
  /** Their names, in lower case. */
  headers: readonly string[];
}

/** Headers that say nothing about an operation: of the connection, of the body's form, for browsers. */
const OF_TRANSPORT =
  /^(connection|keep-alive|date|transfer-encoding|content-(type|length|security-policy)|vary|cache-control|cross-origin-.*|origin-agent-cluster|referrer-policy|x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection))$/;

/** The paths of a document, with what it says of each method. */
type Paths<Operation> = Record<string, Record<string, Operation>>;

/** Finds the operation of a request in a document, and the template of its path; null if there is none. */
export function operationFinder<Operation>(paths: Paths<Operation>) {
  const templates = Object.entries(paths).map(([template, methods]) => ({
    template,
    methods,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    parameters: template.split('{').length,
  }));
  // Of two that match, the router prefers fixed segments.
  templates.sort((a, b) => a.parameters - b.parameters);
  return (method: string, path: string): { template: string; operation: Operation } | null => {
    const [plain = ''] = path.split('?');
    for (const { template, methods, pattern } of templates) {
      const operation = methods[method.toLowerCase()];
      if (operation && pattern.test(plain)) return { template, operation };
    }
    return null;
  };
}

/**
 * What responses have and the document does not declare: `POST /teams 409 has retry-after`. Responses to
 * requests that no operation matches are left out.
 */
export function undeclaredHeaders(document: Document, heads: readonly ResponseHead[]): string[] {
  const find = operationFinder(document.paths);
  const found = heads.flatMap(({ method, path, status, headers }) => {
    const { template, operation } = find(method, path) ?? {};
    if (!operation) return [];
    const at = `${method} ${template} ${status}`;
    const response = operation.responses[status];
    if (!response) return [`${at} is not declared`];
    const shared = response.$ref?.replace('#/components/responses/', '') ?? '';
    const declared = Object.keys((document.components.responses[shared] ?? response).headers ?? {});
    const known = declared.map((name) => name.toLowerCase());
    return headers
      .filter((name) => !OF_TRANSPORT.test(name) && !known.includes(name))
      .map((name) => `${at} has ${name}`);
  });
  return [...new Set(found)].sort();
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
