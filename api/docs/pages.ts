import { API_ERRORS, type ErrorEntry } from '../../domain/error-codes.ts'
import type { FailureTable } from '../../domain/failure-table.ts'
import { escapeHtml } from '../../domain/html.ts'
import { VIDEO_FAILURES } from '../../domain/videos/video-failures.ts'
import { DELIVERY_FAILURES } from '../../domain/webhooks/delivery-failures.ts'
import { EVENT_CATALOG } from '../../views/webhooks/event-type.ts'
import { articlePage, page, type Section } from './page.ts'

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
  articlePage({
    title: 'Error codes',
    path: '/docs/errors',
    intro: `<p>Test the code of an error; the message may change, and a later release may have more codes.</p>`,
    sections: [
      ...TYPES.map(callsOf),
      failures(
        'videos',
        'Failed videos',
        'video',
        VIDEO_FAILURES,
        'error.code</code> of a video whose status is <code>failed',
      ),
      failures(
        'deliveries',
        'Failed webhook deliveries',
        'delivery',
        DELIVERY_FAILURES,
        'error_code</code> of a webhook delivery and of its <code>attempts',
      ),
    ],
  })

/** The types of refused calls, in the order of the page. */
const TYPES: { type: ErrorEntry['type']; title: string }[] = [
  { type: 'authentication_error', title: 'Authentication' },
  { type: 'invalid_request_error', title: 'Invalid requests' },
  { type: 'conflict_error', title: 'Conflicts' },
  { type: 'rate_limit_error', title: 'Limits' },
  { type: 'api_error', title: 'Errors of the service' },
]

function callsOf({ type, title }: (typeof TYPES)[number]): Section {
  const entries = Object.entries<ErrorEntry>(API_ERRORS).filter(([, entry]) => entry.type === type)
  return {
    id: type,
    title,
    entries: entries.map(([code]) => ({ id: code, code })),
    body: `<p>Refused calls with the type <code>${type}</code>.</p>
${table(
  ['Code', 'Status', 'Meaning'],
  entries.map(([code, { status, bodyStatus, message }]) =>
    row(code, code, [
      bodyStatus === undefined ? String(status) : `${bodyStatus} or ${status}`,
      message,
    ]),
  ),
)}`,
  }
}

/** A table of failures; the id of a row has a prefix, because a refused call can have the same code. */
function failures(
  id: string,
  title: string,
  prefix: string,
  codes: FailureTable,
  where: string,
): Section {
  const entries = Object.entries(codes)
  return {
    id,
    title,
    entries: entries.map(([code]) => ({ id: `${prefix}-${code}`, code })),
    body: `<p><code>${where}</code>.</p>
${table(
  ['Code', 'Cause', 'Remedy'],
  entries.map(([code, { cause, remedy }]) => row(`${prefix}-${code}`, code, [cause, remedy])),
)}`,
  }
}

const table = (heads: string[], rows: string[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`

/** A row whose code leads to itself, so that its address can be copied. */
const row = (id: string, code: string, cells: string[]): string =>
  `<tr id="${id}"><td><a href="#${id}"><code>${code}</code></a></td>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`

/** Every event type with its description, an example and its schema, from the catalog. */
export const eventsPage = (): string =>
  articlePage({
    title: 'Events',
    path: '/docs/events',
    intro: `<p>Webhook endpoints receive these events, and <code>GET /v1/events</code> lists them. As JSON:
<code>GET /v1/event-types</code>.</p>`,
    sections: EVENT_CATALOG.map(({ type, sentWhen, example, jsonSchema }) => ({
      id: type,
      title: type,
      body: `<p>${escapeHtml(sentWhen)}</p>
${json(example)}
<details><summary>JSON Schema</summary>${json(jsonSchema)}</details>`,
    })),
  })

const json = (value: unknown): string =>
  `<pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`
