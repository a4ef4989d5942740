import { Injectable } from '@nestjs/common';

/** How a purged workspace wakes the purge process, which belongs to a domain downstream. */
@Injectable()
export class PurgeRequests {
  private wake: () => void = () => undefined;

  /** @param wake starts the purge process; it never fails or waits */
  onRequest(wake: () => void): void {
    this.wake = wake;
  }

  /** To be called after the commit that marked something as purged. */
  add(): void {
    this.wake();
  }
}
