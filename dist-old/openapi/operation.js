import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { MessageResponse } from '../http/message.wire.js';
/** The response of an operation that returns only a message. */
export const messageResponse = (example) => ({
    response: 'A message.',
    type: MessageResponse,
    example,
});
/** Access to a workspace, for `requires`. */
export const WORKSPACE_ACCESS = {
    read: 'access to the workspace',
    write: '`full` access to the workspace',
    manage: 'an `editor` of the workspace, or a `moderator` of the team if it is public',
};
/** By operation id, which is the name of the handler. */
export const OPERATIONS = new Map();
/**
 * Describes an operation at its handler. describeOperation() adds the nine statuses, security and
 * headers.
 */
export const Operation = (metadata) => (target, id, descriptor) => {
    OPERATIONS.set(String(id), metadata);
    const { summary, description, requires, response, type } = metadata;
    const required = `**Requires:** ${requires}.`;
    const whole = description === undefined ? required : `${description}\n\n${required}`;
    ApiOperation({ summary, description: whole })(target, id, descriptor);
    ApiOkResponse({ type, description: response })(target, id, descriptor);
};
//# sourceMappingURL=operation.js.map