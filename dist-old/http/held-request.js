import { createParamDecorator } from '@nestjs/common';
import { outsideDeadline } from './deadline.js';
/** Hands a controller method its HeldRequest. */
export const Held = createParamDecorator((_, context) => {
    const http = context.switchToHttp();
    const request = http.getRequest();
    const gone = new AbortController();
    const { raw } = http.getResponse();
    if (raw.destroyed)
        gone.abort();
    raw.once('close', () => {
        if (!raw.writableFinished)
            gone.abort();
    });
    return { gone: gone.signal, hold: (wait) => outsideDeadline(request, wait) };
});
//# sourceMappingURL=held-request.js.map