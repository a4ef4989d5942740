import { Redis } from 'ioredis';
import { addressOf, reasonOf, TIMEOUT } from './finding.js';
const check = 'Redis';
/** Whether the counts of the rate limit can be written. */
export async function examineRedis({ redisUrl, rateLimitPerMinute }) {
    if (rateLimitPerMinute === 0) {
        return { level: 'ok', check, says: 'Not needed: RATE_LIMIT_PER_MINUTE is 0.' };
    }
    if (redisUrl === null) {
        const says = 'Not set: with several processes, set REDIS_URL, so that they share one rate limit.';
        return { level: 'ok', check, says };
    }
    const redis = new Redis(redisUrl, {
        lazyConnect: true,
        connectTimeout: TIMEOUT,
        commandTimeout: TIMEOUT,
        maxRetriesPerRequest: 0,
        retryStrategy: () => null,
    });
    let failure = null;
    redis.on('error', (error) => {
        failure = error;
    });
    try {
        await redis.connect();
        await redis.set('teamspaces:doctor', '1', 'PX', 1);
        return { level: 'ok', check, says: `It accepts writes at ${addressOf(redisUrl)}.` };
    }
    catch (error) {
        const reason = replyOf(error) ?? replyOf(failure) ?? reasonOf(failure ?? error);
        const says = `REDIS_URL: ${addressOf(redisUrl)} cannot be written to (${reason}): each process counts by itself until it can.`;
        return { level: 'fail', check, says };
    }
    finally {
        redis.disconnect();
    }
}
/** The first word of an error reply of Redis, such as WRONGPASS; null if there was no reply. */
function replyOf(error) {
    const { name, message } = (error ?? {});
    return name === 'ReplyError' ? (message?.split(' ')[0] ?? null) : null;
}
//# sourceMappingURL=redis.js.map