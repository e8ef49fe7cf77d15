import { API_ERRORS, type ErrorEntry } from '../../domain/error-codes.ts'
import type { FailureTable } from '../../domain/failure-table.ts'
import { escapeHtml } from '../../domain/html.ts'
import { VIDEO_FAILURES } from '../../domain/videos/video-failures.ts'
import { DELIVERY_FAILURES } from '../../domain/webhooks/delivery-failures.ts'
import { DESIGN_STYLE } from '../../http/pages/design-style.ts'
import { fontPreloads } from '../../http/pages/fonts.ts'
import { EVENT_CATALOG } from '../../views/webhooks/event-type.ts'

/** The page of the reference, which Redoc renders. */
export const docsPage = (): string =>
  page(
    'Reelgate API',
    `<div id="reference"></div>
<noscript>The reference needs JavaScript. These documents do not: <a href="/openapi.json">the OpenAPI document</a>,
<a href="/docs/errors">the error codes</a> and <a href="/docs/events">the events</a>.</noscript>
<script src="/docs/redoc.js"></script><script src="/docs/start.js"></script>`,
    // Redoc is light only.
    'light',
  )

/** Every error code with its status and meaning, from the registry of the API, and the codes of failures in the background. */
export const errorsPage = (): string =>
  page(
    'Reelgate API: error codes',
    `<main><h1>Error codes</h1>
<p>Test the code of an error; the message may change, and a later release may have more codes.
<a href="/docs">Back to the reference</a></p>
<ul><li><a href="#calls">Refused calls</a></li><li><a href="#videos">Failed videos</a></li>
<li><a href="#deliveries">Failed webhook deliveries</a></li></ul>
<h2 id="calls">Refused calls</h2>
${table(['Code', 'Status', 'Type', 'Meaning'], Object.entries(API_ERRORS).map(row))}
<h2 id="videos">Failed videos</h2>
<p><code>error.code</code> of a video whose status is <code>failed</code>.</p>
${failureTable('video', VIDEO_FAILURES)}
<h2 id="deliveries">Failed webhook deliveries</h2>
<p><code>error_code</code> of a webhook delivery and of its attempts.</p>
${failureTable('delivery', DELIVERY_FAILURES)}
</main>`,
  )

const table = (heads: string[], rows: string[]): string =>
  `<div class="wide"><table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`

/** A table of failures; the id of a row has a prefix, because a refused call can have the same code. */
const failureTable = (prefix: string, failures: FailureTable): string =>
  table(
    ['Code', 'Cause', 'Remedy'],
    Object.entries(failures).map(
      ([code, { cause, remedy }]) =>
        `<tr id="${prefix}-${code}"><td><code>${code}</code></td><td>${escapeHtml(cause)}</td><td>${escapeHtml(remedy)}</td></tr>`,
    ),
  )

function row([code, { status, bodyStatus, type, message }]: [string, ErrorEntry]): string {
  const shown = bodyStatus === undefined ? String(status) : `${bodyStatus} or ${status}`
  return `<tr id="${code}"><td><code>${code}</code></td><td>${shown}</td><td>${type}</td><td>${escapeHtml(message)}</td></tr>`
}

type Entry = (typeof EVENT_CATALOG)[number]

/** Every event type with its description, an example and its schema, from the catalog. */
export const eventsPage = (): string =>
  page(
    'Reelgate API: events',
    `<main><h1>Events</h1>
<p>Webhook endpoints receive these events, and <code>GET /v1/events</code> lists them. As JSON:
<code>GET /v1/event-types</code>. <a href="/docs">Back to the reference</a></p>
<ul>${EVENT_CATALOG.map(({ type }) => `<li><a href="#${type}"><code>${type}</code></a></li>`).join('\n')}</ul>
${EVENT_CATALOG.map(section).join('\n')}
</main>`,
  )

const section = ({ type, sentWhen, example, jsonSchema }: Entry): string => `<section>
<h2 id="${type}"><code>${type}</code></h2>
<p>${escapeHtml(sentWhen)}</p>
${json(example)}
<details><summary>JSON Schema</summary>${json(jsonSchema)}</details>
</section>`

const json = (value: unknown): string => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`

/** A page of the documentation in the colour schemes that it has; `body` is HTML. */
const page = (title: string, body: string, schemes = 'light dark'): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="${schemes}">
<link rel="icon" href="data:,">${fontPreloads('en')}<style>${STYLE}</style></head>
<body>${body}</body></html>`

/** The last rule removes the dark column that Redoc draws down the whole page, even without samples. */
const STYLE = `${DESIGN_STYLE}body{margin:0;font:var(--text-lg)/1.5 var(--font);color:var(--text);background:var(--page)}
main{max-width:64rem;margin:0 auto;padding:2rem 1rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.5rem;border-bottom:1px solid var(--line)}
tr:target,h2:target{background:var(--warning-soft)}td code{white-space:nowrap}code,pre{font-family:var(--font-code);font-size:.9em}a{color:var(--accent-text)}.wide{overflow-x:auto}
main pre{overflow-x:auto;background:var(--sunken);border-radius:var(--radius-md);padding:.75rem}
#reference .api-content+div{background:none}`
