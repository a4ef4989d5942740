import { Logger, } from '@nestjs/common';
/**
 * Work that every instance does by itself at an interval, in short transactions. Its rounds never
 * overlap. The first of several failed rounds is logged; the next one starts at its time.
 */
export class BackgroundJob {
    failure;
    interval;
    logger;
    timer;
    rounds = null;
    isWoken = false;
    isFailing = false;
    /** True from the beginning of the shutdown: begin no further transaction. */
    isOver = false;
    /**
     * @param name of the job in the log
     * @param failure what has not happened if a round fails, for the log
     * @param interval milliseconds between two rounds
     */
    constructor(name, failure, interval) {
        this.failure = failure;
        this.interval = interval;
        this.logger = new Logger(name);
    }
    onApplicationBootstrap() {
        this.timer = setInterval(() => this.wake(), this.interval).unref();
    }
    /** Starts a round now, or after the one that is under way. Never fails or waits. */
    wake() {
        if (this.isOver)
            return;
        this.isWoken = true;
        this.rounds ??= this.run();
    }
    /** A transaction that is under way ends first. */
    async beforeApplicationShutdown() {
        this.isOver = true;
        clearInterval(this.timer);
        await this.rounds;
    }
    async run() {
        while (this.isWoken && !this.isOver) {
            this.isWoken = false;
            try {
                await this.runRound();
                this.isFailing = false;
            }
            catch (error) {
                const isNews = !this.isFailing && !this.isOver;
                if (isNews)
                    this.logger.warn(`${this.failure}: ${error.message}`);
                this.isFailing = true;
            }
        }
        // In the same turn as the last look at isWoken: no call of wake() is lost.
        this.rounds = null;
    }
}
//# sourceMappingURL=background-job.js.map