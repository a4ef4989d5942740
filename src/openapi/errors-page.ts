import { STATUS_CODES } from 'node:http';
import { escapeHtml, textPage } from '@teamspaces/manual-site/pages';
import { ERROR_CODES, type ErrorCode } from '../errors/domain-error.js';
import { ERROR_MEANING, ERROR_STATUS } from '../errors/error-status.js';
import { ERROR_MESSAGES } from './error-messages.js';
import { exampleFailure } from './responses.js';

/** The page that every error's doc_url leads to, with an anchor a code. */
export function errorsPage(publicUrl: string, styles: string[]): string {
  const root = '../';
  const links = ERROR_CODES.map(
    (code) => `<li><a href="#${code}">${ERROR_STATUS[code]} <code>${code}</code></a></li>`,
  );
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
change; the code is one of these nine. Below each code are its messages, with … for names, numbers and lists, and
what causes them. The manual explains <a href="${root}manual/errors">how to handle
errors</a> and <a href="${root}manual/retries">which requests to retry</a>; the
<a href="${root}reference">reference</a> lists the errors of each operation.</p>
${ERROR_CODES.map((code) => section(code, publicUrl)).join('\n')}`,
  });
}

function section(code: ErrorCode, publicUrl: string): string {
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
${messageTable(code)}
</section>`;
}

function messageTable(code: ErrorCode): string {
  const rows = ERROR_MESSAGES[code].map(
    ([message, cause]) => `<tr><td>${escapeHtml(message)}</td><td>${escapeHtml(cause)}</td></tr>`,
  );
  return `<div class="table" tabindex="0"><table><thead><tr><th>Message</th><th>Cause</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}
