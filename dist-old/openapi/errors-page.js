import { STATUS_CODES } from 'node:http';
import { ERROR_CODES } from '../errors/domain-error.js';
import { ERROR_MEANING, ERROR_STATUS } from '../errors/error-status.js';
import { exampleFailure } from './responses.js';
import { escapeHtml, textPage } from './site-page.js';
/** The page that every error's doc_url leads to, with an anchor a code. */
export function errorsPage(publicUrl, styles) {
    const root = '../';
    const links = ERROR_CODES.map((code) => `<li><a href="#${code}">${ERROR_STATUS[code]} <code>${code}</code></a></li>`);
    return textPage({
        root,
        current: 'api-reference/errors',
        title: 'teamspaces errors',
        styles,
        aside: `<aside class="short"><nav aria-label="Errors"><h2>Errors</h2><ul>
${links.join('\n')}
</ul></nav></aside>`,
        body: `<h1>Errors</h1>
<p>Every error is <code>{"error": {"code", "message", "doc_url"}}</code>. The message names what to
change; the code is one of these nine. The manual explains <a href="${root}manual/errors">how to handle
errors</a> and <a href="${root}manual/retries">which requests to retry</a>; the
<a href="${root}reference">reference</a> lists the errors of each operation.</p>
${ERROR_CODES.map((code) => section(code, publicUrl)).join('\n')}`,
    });
}
function section(code, publicUrl) {
    const { status, headers, body } = exampleFailure(code, publicUrl);
    const lines = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        'content-type: application/json; charset=utf-8',
        '',
        JSON.stringify(body, null, 2),
    ];
    return `<section id="${code}">
<h2><a href="#${code}">${status} <code>${code}</code></a></h2>
<p>${escapeHtml(ERROR_MEANING[code].meaning)}</p>
<p>${escapeHtml(ERROR_MEANING[code].remedy)}</p>
<pre tabindex="0"><code>${escapeHtml(lines.join('\n'))}</code></pre>
</section>`;
}
//# sourceMappingURL=errors-page.js.map