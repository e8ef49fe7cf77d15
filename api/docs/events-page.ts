import { EVENT_CATALOG } from '../../views/event-type.ts'
import { escape, page } from './page.ts'

type Entry = (typeof EVENT_CATALOG)[number]

/** Every event type with what it is sent for, an example and its schema, from the one catalog. */
export const eventsPage = (): string =>
  page(
    'Reelgate API: events',
    `<main><h1>Events</h1>
<p>What is posted to webhook endpoints, and what <code>GET /v1/events</code> lists. The same as JSON:
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
