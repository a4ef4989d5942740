import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Config } from '../config/config.js';
import { KEPT_HOURS } from '../idempotency/idempotent-write.js';
import { describeOperation, LONG_FORM_TAG, type Operation } from './describe-operation.js';
import { introduction } from './introduction.js';
import { errorSchema, HEADERS, sharedResponses } from './responses.js';
import { enumSchemas, inThreeOne, withDefaultsInText, withExamples } from './schemas.js';
import { messageSchemas, webhookMessages } from './webhook-messages.js';

/** The version of the interface, not of the release: docs/versions.md. */
const INTERFACE_VERSION = '0.0.1';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * The OpenAPI 3.1 document: generated from the controllers and the wire classes, with the texts of
 * the contract and the manual, which are added here once.
 */
export function createDocument(app: INestApplication, config: Config): OpenAPIObject {
  const { publicUrl } = config;
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('teamspaces API')
    .setDescription(introduction(publicUrl).trim())
    .setVersion(INTERFACE_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(publicUrl, 'This service')
    .addTag('teams', 'The top-level owner of everything.')
    .addTag('workspaces', 'Containers of content, public or private.')
    .addTag('collections', 'The ordered tree of collections and pages.')
    .addTag('trash', 'Deleted items and workspaces: list, restore, purge.')
    .addTag('versions', 'What pages were before they were overwritten: list, restore, purge.')
    .addTag('webhooks', 'URLs that receive a message when something has changed.')
    .addTag('me', 'The caller, the invites to the caller, and joining a team.')
    .addTag('members', 'The members of a team and their roles.')
    .addTag('invites', 'The invites that a team has sent.')
    .addTag('workspace members', 'The roles of people in a workspace.')
    .addTag(
      LONG_FORM_TAG,
      'The operations of `collections`, `trash` and `versions` with the workspace in the path instead of the query.',
    )
    .setExternalDoc('Manual', `${publicUrl}/manual`)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'token')
    .addSecurityRequirements('token')
    .build();
  const document = SwaggerModule.createDocument(app, base, {
    autoTagControllers: false,
    operationIdFactory: (_controller, method) => method,
  });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (operation) describeOperation(method, path, operation, publicUrl);
    }
  }
  const { components = {}, ...rest } = inThreeOne(document) as OpenAPIObject;
  return {
    ...rest,
    webhooks: webhookMessages(),
    components: {
      ...components,
      schemas: {
        ...withExamples(withDefaultsInText(components.schemas ?? {})),
        ...messageSchemas(),
        ...enumSchemas(),
        ErrorResponse: errorSchema(publicUrl),
      },
      responses: sharedResponses(publicUrl),
      headers: HEADERS,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
    },
  } as OpenAPIObject;
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Makes a retry safe: for ${KEPT_HOURS} hours, the same key with the same request has no further effect. 1 to 255 visible ASCII characters.`,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
