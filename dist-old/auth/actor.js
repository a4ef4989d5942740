import { createParamDecorator } from '@nestjs/common';
/** Passes the caller to a controller method. */
export const CurrentActor = createParamDecorator((_, context) => context.switchToHttp().getRequest().user);
//# sourceMappingURL=actor.js.map