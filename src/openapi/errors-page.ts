import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/token.guard.js';
import { ERROR_CODES } from '../errors/domain-error.js';
import { ERROR_MEANING, ERROR_STATUS } from '../errors/error-status.js';

/** The page that every error's doc_url leads to, with an anchor a code. */
@ApiExcludeController()
@Controller('api-reference')
export class ErrorsPageController {
  @Public()
  @Get('errors')
  @Header('content-type', 'text/html; charset=utf-8')
  errors(): string {
    return PAGE;
  }
}

const SECTIONS = ERROR_CODES.map(
  (code) => `<section id="${code}">
<h2><a href="#${code}">${ERROR_STATUS[code]} <code>${code}</code></a></h2>
<p>${escapeHtml(ERROR_MEANING[code].meaning)}</p>
<p>${escapeHtml(ERROR_MEANING[code].remedy)}</p>
</section>`,
);

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
h2 a { color: inherit; text-decoration: none; }
section:target { background: #fff6d6; }
</style>
<h1>Errors</h1>
<p>Every error is <code>{"error": {"code", "message", "doc_url"}}</code>. The message names what to
change; the code is one of these.</p>
${SECTIONS.join('\n')}
</html>
`;

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
