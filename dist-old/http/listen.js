import { listenFailure } from '../config/listen-failure.js';
/**
 * Accepts connections on PORT and HOST, and returns the address. Calls Fastify itself: Nest's
 * listen() would log a failure a second time.
 * @throws Error with one sentence that names the setting to change
 */
export async function listen(app, config) {
    const { port, host } = config;
    await app.init();
    try {
        return await app.getHttpAdapter().getInstance().listen({ port, host });
    }
    catch (error) {
        throw listenFailure('PORT', port, host, error);
    }
}
//# sourceMappingURL=listen.js.map