import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { API_ERRORS } from '../../domain/error-codes.ts'
import { escapeHtml } from '../../domain/html.ts'
import { VIDEO_FAILURES } from '../../domain/videos/video-failures.ts'
import { DELIVERY_FAILURES } from '../../domain/webhooks/delivery-failures.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { EVENT_CATALOG } from '../../views/webhooks/event-type.ts'
import { REDOC_THEME } from './redoc-theme.ts'

const t = setUpApiFixture()
const get = (path: string) => fetch(t.base + path)

describe('the documentation', () => {
  it('is served without a key, with the document of this API', async () => {
    const response = await get('/openapi.json')
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const document = (await response.json()) as { openapi: string; servers: unknown }
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://api.example' }] })
  })

  it('loads nothing from another host', async () => {
    const response = await get('/docs')
    const html = await response.text()
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self';/)
    const script = await get('/docs/redoc.js')
    expect(script.headers.get('content-type')).toMatch(/javascript/)
    const source = await script.text()
    expect(source.length).toBeGreaterThan(500_000)
    expect(source).not.toContain('cdn.redoc')
    expect(await (await get('/docs/start.js')).text()).toMatch(/\/openapi\.json/)
  })

  it('explains every error code where doc_url points', async () => {
    const html = await (await get('/docs/errors')).text()
    for (const code of Object.keys(API_ERRORS)) {
      expect(html).toContain(`<tr id="${code}">`)
      // The row itself, and the table of contents.
      expect(html.split(`<a href="#${code}"><code>${code}</code></a>`)).toHaveLength(3)
    }
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const { json } = await t.call('GET', '/v1/nothing')
    expect(json.error?.doc_url).toBe('https://api.example/docs/errors#route_not_found')
  })

  it.each([
    ['video', VIDEO_FAILURES],
    ['delivery', DELIVERY_FAILURES],
  ])('names the cause and the remedy of each failure of a %s', async (prefix, table) => {
    const html = await (await get('/docs/errors')).text()
    const { components } = (await (await get('/openapi.json')).json()) as {
      components: {
        schemas: Record<string, { description: string; 'x-extensible-enum': string[] }>
      }
    }
    const schema = Object.entries(components.schemas).find(
      ([name]) => name.toLowerCase() === `${prefix}errorcode`,
    )?.[1]
    expect(schema?.['x-extensible-enum']).toEqual(Object.keys(table))
    for (const [code, { cause, remedy }] of Object.entries(table)) {
      const [row] =
        /<tr .*<\/tr>/.exec(html.slice(html.indexOf(`<tr id="${prefix}-${code}">`))) ?? []
      for (const text of [code, cause, remedy]) {
        expect(row).toContain(text)
        expect(schema?.description).toContain(text)
      }
    }
  })

  it('shows every event type with an example and its schema, and loads nothing from another host', async () => {
    const html = await (await get('/docs/events')).text()
    const json = (value: unknown) => escapeHtml(JSON.stringify(value, null, 2))
    for (const { type, sentWhen, example, jsonSchema } of EVENT_CATALOG) {
      expect(html).toContain(`<li><a href="#${type}">${type}</a></li>`)
      const section = html.slice(html.indexOf(`<h2 id="${type}">`))
      expect(section).toContain(sentWhen)
      expect(section).toContain(json(example))
      expect(section).toContain(json(jsonSchema))
    }
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//)
  })

  it('has the colours of the design language, also where Redoc takes no CSS', async () => {
    const colours = await readFile(new URL('../../design/colours.css', import.meta.url), 'utf8')
    const used = JSON.stringify(REDOC_THEME).match(/#[\da-f]{6}/g) ?? []
    expect(used.filter((colour) => !colours.includes(colour))).toEqual([])
  })

  it('is read-only', async () => {
    const response = await fetch(`${t.base}/docs`, { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })
})
