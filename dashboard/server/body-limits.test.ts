import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  CAPTION_MAX_BYTES,
  DOMAINS_MAX,
  SELECTED_VIDEOS_MAX,
  SMALL_BODY_MAX_BYTES,
  URL_MAX_LENGTH,
} from '../../domain/limits.ts'
import { SUBSCRIBABLE_EVENT_TYPES } from '../../domain/webhooks/events.ts'
import { bodyMaxBytesOf } from '../../http/body-limit.ts'
import type { Operation } from '../../http/operation.ts'
import { cookieName, setUpDashboardFixture } from '../../test/fixtures/dashboard.ts'
import { describeOddRequests } from '../../test/fixtures/odd-requests.ts'
import { sendHead, type RawRequest } from '../../test/infrastructure/raw-request.ts'
import { MOUNTED_OPERATIONS } from './operations.ts'

const t = setUpDashboardFixture()
const opened: RawRequest[] = []

afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy()
})

function post(path: string, headers: Record<string, string>): RawRequest {
  const request = sendHead(t.base, {
    path,
    headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
  })
  opened.push(request)
  return request
}

describeOddRequests(async () => ({
  base: t.base,
  path: `/api/accounts/${t.accountId}/v1/folders`,
  headers: {
    Cookie: `${cookieName(t.dashboardBase)}=${await t.startSession(t.members.owner.id)}`,
    'Sec-Fetch-Site': 'same-origin',
    'Content-Type': 'application/json',
  },
  maxBytes: SMALL_BODY_MAX_BYTES,
}))

describe('a body above the limit', () => {
  it('of an operation of readers is refused by its head', async () => {
    const token = await t.startSession(t.members.reader.id)
    const limited = MOUNTED_OPERATIONS.filter(({ id }) =>
      ['testDomain', 'setPassword'].includes(id),
    )
    expect(limited).toHaveLength(2)
    for (const operation of limited) {
      const request = post(`/api/accounts/${t.accountId}${operation.path}`, {
        Cookie: `${cookieName(t.dashboardBase)}=${token}`,
        'Content-Type': 'application/json',
        'Content-Length': String(bodyMaxBytesOf(operation) + 1),
      })
      const { status, json } = await request.response()
      expect([status, json.error?.code]).toEqual([413, 'payload_too_large'])
    }
  })

  it.each([
    ['/sign-in', 'application/x-www-form-urlencoded', 16 * 1024],
    ['/welcome', 'application/x-www-form-urlencoded', 16 * 1024],
    ['/sign-in/passkey', 'application/json', 128 * 1024],
  ])('of %s is refused by its head', async (path, type, limit) => {
    const headers = { 'Content-Type': type, 'Content-Length': String(limit + 1) }
    expect((await post(path, headers).response()).status).toBe(413)
  })
})

interface JsonSchema {
  type?: string | string[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  maxLength?: number
  pattern?: string
  enum?: unknown[]
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
}

/** A code point outside the first plane, escaped: two surrogates of six bytes. */
const ESCAPED_BYTES = 12
const SCALAR_BYTES = 32
const HOST_BYTES = 256
/** Texts and lists that the handler limits, so that the error has its own code. */
const TEXTS: Record<string, number> = { content: CAPTION_MAX_BYTES, 'ids[]': 20 }
const LISTS: Record<string, number> = {
  allowed_domains: DOMAINS_MAX,
  blocked_domains: DOMAINS_MAX,
  ids: SELECTED_VIDEOS_MAX,
  // Most lines of an import are far shorter than they may be: the limit of the body decides.
  lines: 80,
}

/** The bytes of the longest JSON text that a schema accepts. */
function longest(schema: JsonSchema, name = ''): number {
  const { type, anyOf, oneOf, enum: values, properties = {} } = schema
  const choices = anyOf ?? oneOf
  if (choices) return Math.max(...choices.map((one) => longest(one, name)))
  if (values) return Math.max(...values.map((one) => JSON.stringify(one).length))
  if (type === 'array') return longestList(schema, name)
  if (type === 'object')
    return Object.entries(properties).reduce(
      (sum, [key, value]) => sum + key.length + 4 + longest(value, key),
      2,
    )
  return type === 'string' ? longestText(schema, name) : SCALAR_BYTES
}

function longestList({ maxItems, items = {} }: JsonSchema, name: string): number {
  const length = LISTS[name] ?? maxItems ?? items.enum?.length ?? SUBSCRIBABLE_EVENT_TYPES.length
  const bytes = name.endsWith('domains') ? HOST_BYTES : longest(items, `${name}[]`)
  return length * (bytes + 1) + 2
}

function longestText({ maxLength, pattern }: JsonSchema, name: string): number {
  const isAscii = pattern !== undefined || maxLength === undefined || name === 'ticket'
  return (maxLength ?? TEXTS[name] ?? URL_MAX_LENGTH) * (isAscii ? 1 : ESCAPED_BYTES) + 2
}

const withBody = MOUNTED_OPERATIONS.filter(({ body }) => body !== undefined)

/** The schema of a body, with the schemas that have names in their places. */
function schemaOf({ body }: Operation): JsonSchema {
  const options = { io: 'input', unrepresentable: 'any', reused: 'inline' } as const
  const { $defs: named = {}, ...schema } = z.toJSONSchema(body ?? z.strictObject({}), options)
  const inlined = (value: unknown): JsonSchema =>
    JSON.parse(JSON.stringify(value), (_key, part: { $ref?: string } | null) =>
      part?.$ref === undefined ? part : inlined(named[part.$ref.replace('#/$defs/', '')]),
    ) as JsonSchema
  return inlined(schema)
}

describe('the limit of an operation', () => {
  it.each(withBody)('holds the largest body that its schema accepts: $id', (operation) => {
    expect(bodyMaxBytesOf(operation)).toBeGreaterThanOrEqual(longest(schemaOf(operation)))
  })

  it.each(withBody)('is at most eight times that, above 64 KiB: $id', (operation) => {
    const limit = bodyMaxBytesOf(operation)
    if (limit > 64 * 1024) expect(limit).toBeLessThanOrEqual(8 * longest(schemaOf(operation)))
  })
})
