import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Config } from '../config/config.js';
import { ERROR_CODES, type ErrorCode } from '../errors/domain-error.js';
import { ERROR_MEANING, ERROR_STATUS } from '../errors/error-status.js';
import { withExamples } from './examples.js';

interface Parameter {
  name: string;
  in: string;
}

interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  security?: Record<string, string[]>[];
  responses: Record<string, unknown>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * The OpenAPI 3.1 document: generated from the controllers and the wire classes, with what the
 * contract says of every operation added here once.
 */
export function createDocument(app: INestApplication, config: Config): OpenAPIObject {
  const { publicUrl, port } = config;
  const description =
    'Teams own workspaces; workspaces hold an ordered tree of collections and pages. Send a bearer token with every request.';
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Team, Workspace and Collection Service')
    .setDescription(description)
    .setVersion('0.0.1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    // Relative: what is tried out goes to where the page was opened.
    .addServer('/', 'This service')
    .addTag('teams', 'The top-level owner of everything.')
    .addTag('workspaces', 'Containers of content, public or private.')
    .addTag('people', 'Members, invites, roles, and the caller.')
    .addTag('collections', 'The ordered tree of collections and pages.')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'token')
    .addSecurityRequirements('token')
    .build();
  if (publicUrl !== `http://localhost:${port}`) base.servers?.push({ url: publicUrl });
  const document = SwaggerModule.createDocument(app, base, {
    operationIdFactory: (_controller, method) => method,
  });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (!operation) continue;
      describePlace(path, operation);
      operation.security = [{ token: [] }];
      for (const code of ERROR_CODES) {
        operation.responses[String(ERROR_STATUS[code])] = errorResponse(code, publicUrl);
      }
    }
  }
  const schemas = { ...document.components?.schemas, Error: errorSchema(publicUrl) };
  document.components = { ...document.components, schemas: withExamples(schemas) };
  return inThreeOne(document) as OpenAPIObject;
}

/** Where the collection operations have their long form: the same operation at a second path. */
const LONG_FORM = '/teams/{team_slug}/workspaces/{workspace_slug}/collections';
const PLACE = { team_slug: 'Slug of the team.', workspace_slug: 'Slug of the workspace.' };

/** The two forms share their methods: in the long one the place is in the path, not the query. */
function describePlace(path: string, operation: Operation): void {
  // Nest numbers the methods of a controller with two paths.
  const id = operation.operationId?.replace(/\[\d+\]$/, '');
  operation.operationId = path.startsWith(LONG_FORM) ? `${id}InWorkspace` : (id ?? '');
  if (!path.startsWith(LONG_FORM)) return;
  const inPath = Object.entries(PLACE).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  const others = operation.parameters?.filter(({ name }) => !(name in PLACE)) ?? [];
  operation.parameters = [...inPath, ...others];
}

function errorResponse(code: ErrorCode, publicUrl: string) {
  return {
    description: ERROR_MEANING[code].meaning,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: errorExample(code, publicUrl),
      },
    },
  };
}

const errorExample = (code: ErrorCode, publicUrl: string) => ({
  error: {
    code,
    message: ERROR_MEANING[code].meaning,
    doc_url: `${publicUrl}/api-reference/errors#${code}`,
  },
});

function errorSchema(publicUrl: string) {
  return {
    type: 'object' as const,
    description: 'Every error looks like this.',
    required: ['error'],
    example: errorExample('bad_request', publicUrl),
    properties: {
      error: {
        type: 'object' as const,
        required: ['code', 'message'],
        properties: {
          code: { type: 'string' as const, enum: [...ERROR_CODES], description: 'Short code.' },
          message: {
            type: 'string' as const,
            description: 'One sentence that a person can act on.',
          },
          doc_url: {
            type: 'string' as const,
            description: 'Where the code is explained; ends in /api-reference/errors#<code>.',
          },
        },
      },
    },
  };
}

/** `nullable` is of OpenAPI 3.0; 3.1 says it with a list of types. */
function inThreeOne(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inThreeOne);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = node as Record<string, unknown>;
  const entries = Object.entries(rest).map(([key, value]) => [key, inThreeOne(value)]);
  const result = Object.fromEntries(entries);
  return nullable === true ? { ...result, type: [result.type, 'null'] } : result;
}
