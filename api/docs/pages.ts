import { ERRORS } from '../../domain/error-codes.ts'
import type { ErrorEntry } from '../../domain/error-codes.ts'
import { escape, page } from './page.ts'

/** The page of the reference; Redoc fills it. */
export const docsPage = (): string =>
  page(
    'Reelgate API',
    `<div id="reference"></div>
<noscript>The reference needs JavaScript. <a href="/openapi.json">openapi.json</a> is what it shows,
<a href="/docs/errors">the error codes</a> and <a href="/docs/events">the events</a> do without.</noscript>
<script src="/docs/redoc.js"></script><script src="/docs/start.js"></script>`,
  )

/** Every error code with its status and meaning, from the registry that the API answers from. */
export const errorsPage = (): string =>
  page(
    'Reelgate API: error codes',
    `<main><h1>Error codes</h1>
<p>The code of an error is what to test; the message may change. <a href="/docs">Back to the reference</a></p>
<div class="wide"><table><thead><tr><th>Code</th><th>Status</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${Object.entries(ERRORS).map(row).join('\n')}
</tbody></table></div></main>`,
  )

function row([code, { status, bodyStatus, type, message }]: [string, ErrorEntry]): string {
  const shown = bodyStatus === undefined ? String(status) : `${bodyStatus} or ${status}`
  return `<tr id="${code}"><td><code>${code}</code></td><td>${shown}</td><td>${type}</td><td>${escape(message)}</td></tr>`
}
