var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Catch } from '@nestjs/common';
import { toFailure } from './error-response.js';
/** Turns errors into responses; registered globally by createApp(). */
let ErrorsFilter = class ErrorsFilter {
    publicUrl;
    constructor(publicUrl) {
        this.publicUrl = publicUrl;
    }
    catch(thrown, host) {
        const http = host.switchToHttp();
        this.respond(thrown, http.getRequest(), http.getResponse());
    }
    /** Also used for requests that Fastify rejects before Nest sees them (frameworkErrors). */
    respond(thrown, request, reply) {
        const failure = toFailure(thrown, this.publicUrl);
        // Logged with the request, when its response has been sent.
        request.failureCause = failure.cause;
        if (reply.sent)
            return;
        reply
            .status(failure.status)
            .headers(failure.headers)
            .header('content-type', 'application/json; charset=utf-8')
            .send(JSON.stringify(failure.body));
    }
};
ErrorsFilter = __decorate([
    Catch(),
    __metadata("design:paramtypes", [String])
], ErrorsFilter);
export { ErrorsFilter };
//# sourceMappingURL=errors.filter.js.map