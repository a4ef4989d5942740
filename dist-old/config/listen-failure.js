/**
 * Why nobody can listen on a port, in one sentence that names the setting to change.
 * @param variable the setting that holds the port
 */
export function listenFailure(variable, port, host, cause) {
    const { code = '', message } = cause;
    const sentences = {
        EADDRINUSE: `${variable}: another program already listens on port ${port} of ${host}: stop it, or set ${variable} to another port.`,
        EACCES: `${variable}: this user may not listen on port ${port}: set ${variable} to one from 1024.`,
        EADDRNOTAVAIL: `HOST: this machine has no address ${host}.`,
        ENOTFOUND: `HOST: there is no host ${host}.`,
    };
    return new Error(sentences[code] ?? `${variable}, HOST: ${message}`, { cause });
}
//# sourceMappingURL=listen-failure.js.map