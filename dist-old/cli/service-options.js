import { Option } from '@commander-js/extra-typings';
import { loadConfig } from '../config/config.js';
export const tokenOption = (needed) => new Option('--token <token>', `a token ${needed}; prefer the environment variable: ps shows command lines`).env('TEAMSPACES_TOKEN');
export const urlOption = () => new Option('--url <address>', 'the service (default: PUBLIC_URL, or http://localhost:<PORT>)').env('TEAMSPACES_URL');
/** The options of an import or export. Ends the command if one of them is not valid. */
export function targetOf(command, folder, options) {
    const { team, workspace } = options;
    return { team, workspace, folder, ...serviceOf(command, options) };
}
/** The service that the options name, and the token. Ends the command where one of them cannot be. */
export function serviceOf(command, { token, url }) {
    if (!token) {
        return command.error('error: set TEAMSPACES_TOKEN to a token, or use --token');
    }
    if (!/^[\x21-\x7e]+$/.test(token)) {
        return command.error('error: TEAMSPACES_TOKEN (--token) must be one word, as the identity provider gave it');
    }
    return { token, url: addressOf(command, url) };
}
/** The address of the service. Ends the command if it is not valid. */
export function addressOf(command, given) {
    // Nothing else of the service's configuration concerns its clients.
    const { PORT, PUBLIC_URL } = process.env;
    const url = (given || loadConfig({ PORT, PUBLIC_URL }).publicUrl).replace(/\/+$/, '');
    if (URL.canParse(url) && /^https?:/.test(url))
        return url;
    return command.error('error: TEAMSPACES_URL (--url) must be the address of a service, such as http://localhost:3000');
}
//# sourceMappingURL=service-options.js.map