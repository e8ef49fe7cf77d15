import { ERRORS } from '../../domain/error-codes.ts'
import type { ErrorEntry } from '../../domain/error-codes.ts'

/** The page of the reference; Redoc fills it. */
export const docsPage = (): string =>
  page(
    'Reelgate API',
    `<div id="reference"></div>
<noscript>The reference needs JavaScript. <a href="/openapi.json">openapi.json</a> is what it shows,
<a href="/docs/errors">the error codes</a> do without.</noscript>
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

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body>${body}</body></html>`

const STYLE = `body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff}
main{max-width:64rem;margin:0 auto;padding:2rem 1rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.5rem;border-bottom:1px solid #ddd}
tr:target{background:#fff6d6}td code{white-space:nowrap}.wide{overflow-x:auto}`

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
