import { API_ERRORS } from '../../domain/error-codes.ts'
import type { ErrorEntry } from '../../domain/error-codes.ts'
import { EVENT_CATALOG } from '../../views/event-type.ts'

/** The page of the reference, which Redoc renders. */
export const docsPage = (): string =>
  page(
    'Reelgate API',
    `<div id="reference"></div>
<noscript>The reference needs JavaScript. These documents do not: <a href="/openapi.json">the OpenAPI document</a>,
<a href="/docs/errors">the error codes</a> and <a href="/docs/events">the events</a>.</noscript>
<script src="/docs/redoc.js"></script><script src="/docs/start.js"></script>`,
  )

/** Every error code with its status and meaning, from the registry of the API. */
export const errorsPage = (): string =>
  page(
    'Reelgate API: error codes',
    `<main><h1>Error codes</h1>
<p>Test the code of an error; the message may change. <a href="/docs">Back to the reference</a></p>
<div class="wide"><table><thead><tr><th>Code</th><th>Status</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${Object.entries(API_ERRORS).map(row).join('\n')}
</tbody></table></div></main>`,
  )

function row([code, { status, bodyStatus, type, message }]: [string, ErrorEntry]): string {
  const shown = bodyStatus === undefined ? String(status) : `${bodyStatus} or ${status}`
  return `<tr id="${code}"><td><code>${code}</code></td><td>${shown}</td><td>${type}</td><td>${escape(message)}</td></tr>`
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
<p>${escape(sentWhen)}</p>
${json(example)}
<details><summary>JSON Schema</summary>${json(jsonSchema)}</details>
</section>`

const json = (value: unknown): string => `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`

/** A page of the documentation; `body` is HTML. */
const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body>${body}</body></html>`

/** The last rule removes the dark column that Redoc draws down the whole page, even without samples. */
const STYLE = `body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff}
main{max-width:64rem;margin:0 auto;padding:2rem 1rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.5rem;border-bottom:1px solid #ddd}
tr:target,h2:target{background:#fff6d6}td code{white-space:nowrap}.wide{overflow-x:auto}
main pre{overflow-x:auto;background:#f6f6f6;padding:.75rem}
#reference .api-content+div{background:none}`

/** Escapes text for HTML. */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
