// The messages that the service sends to webhooks: `webhooks` of OpenAPI 3.1, which 3.0 does not have.

const id = { type: 'string', description: 'Unique id.' };
const text = (description: string) => ({ type: 'string', description });

const named = (description: string, slug: string, last: string) => ({
  type: 'object',
  description,
  required: ['_id', 'slug'],
  properties: { _id: id, slug: text('Its slug when the message was made.') },
  example: { _id: `019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c${last}`, slug },
});
const team = named('The team.', 'acme', '10');
const workspace = named('The workspace.', 'handbook', '20');

const timestamp = {
  type: 'string',
  format: 'date-time',
  description: 'When the message was made: ISO 8601 UTC with milliseconds.',
};

/** What each message tells. */
const MESSAGES = {
  'workspace.changed': {
    name: 'WorkspaceChanged',
    summary: 'The content of a workspace has changed',
    description:
      'Items were created, changed, moved or deleted. `getChanges` with `cursor` returns at least these changes.',
    data: {
      team,
      workspace,
      version: text("The workspace's `version` when the message was made."),
      cursor: text('Where the previous message ended: for `getChanges`.'),
    },
    example: {
      team: team.example,
      workspace: workspace.example,
      version: '5d0f1b9e-6a41-4f7e-9f0a-3c1f4a3f8b52',
      cursor: 'd0JZb3FfTUEgNCBmZmZm',
    },
  },
  'team.changed': {
    name: 'TeamChanged',
    summary: 'People, settings or workspaces of a team have changed',
    description: '`getAuditLog` says what has changed.',
    data: { team, entry: text('Id of the newest entry of the audit log that the maker can see.') },
    example: { team: team.example, entry: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c52' },
  },
  'webhook.test': {
    name: 'WebhookTest',
    summary: 'A test, by testWebhook',
    description: 'It is sent once, without retries.',
    data: { webhook: id },
    example: { webhook: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c60' },
  },
};

const AT = '2026-01-01T00:00:00.000Z';

/** The schemas of the messages. */
export const messageSchemas = () =>
  Object.fromEntries(
    Object.entries(MESSAGES).map(([type, { name, summary, data, example }]) => [
      name,
      {
        type: 'object' as const,
        description: `${summary}.`,
        required: ['type', 'timestamp', 'data'],
        properties: {
          type: { type: 'string', const: type, description: 'What has happened.' },
          timestamp,
          data: {
            type: 'object',
            description: 'What it is about.',
            required: Object.keys(data),
            properties: data,
          },
        },
        example: { type, timestamp: AT, data: example },
      },
    ]),
  );

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const HEADERS = [
  header('webhook-id', 'Id of the message: the same for each attempt.'),
  header('webhook-timestamp', 'When the attempt was made: Unix epoch seconds.'),
  header(
    'webhook-signature',
    'Signatures by Standard Webhooks 1.0, separated by spaces: one, or two for 24 hours after a renewal of the secret.',
  ),
];

/** The requests that the service sends, for the document. */
export const webhookMessages = () =>
  Object.fromEntries(
    Object.entries(MESSAGES).map(([type, { name, summary, description }]) => [
      type,
      {
        post: {
          operationId: type,
          tags: ['webhooks'],
          summary,
          description,
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
          },
          responses: {
            '2XX': { description: 'The message was received; within 15 seconds.' },
            '410': { description: 'The receiver is gone: the webhook is disabled.' },
            default: { description: 'The message is sent again later.' },
          },
        },
      },
    ]),
  );
