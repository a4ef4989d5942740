var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Injectable } from '@nestjs/common';
/** How a purged workspace wakes the purge process, which belongs to a domain downstream. */
let PurgeRequests = class PurgeRequests {
    wake = () => undefined;
    /** @param wake starts the purge process; it never fails or waits */
    handleBy(wake) {
        this.wake = wake;
    }
    /** To be called after the commit that marked something as purged. */
    add() {
        this.wake();
    }
};
PurgeRequests = __decorate([
    Injectable()
], PurgeRequests);
export { PurgeRequests };
//# sourceMappingURL=purge-requests.js.map