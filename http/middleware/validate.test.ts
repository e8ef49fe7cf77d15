import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../api/operations.ts'
import {
  HOSTILE_BODIES,
  HOSTILE_JSON,
  HOSTILE_TIMES,
  HOSTILE_URL_TEXT,
} from '../../test/fixtures/openapi/hostile-values.ts'
import { ApiError } from '../api-error.ts'
import type { Operation } from '../operation.ts'
import { parseBody, parseQuery } from './validate.ts'

/** The default messages of zod. */
const NOT_OURS = /invalid|expected|received|too (big|small)|unrecognized|\bzod\b|regex|pattern|NaN/i
const OURS =
  /^(`[^`]+` (must|is|has|does|lies|cannot|may) .+|The (body|query) .+|This endpoint .+)\.$/s

function captureRefusal(parse: () => unknown): ApiError | null {
  try {
    parse()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

const valueOf = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
const VALUES = [
  undefined,
  ...HOSTILE_JSON.map(valueOf),
  ...HOSTILE_TIMES,
  ...HOSTILE_URL_TEXT,
  'x'.repeat(300),
]
const WHOLE = HOSTILE_BODIES.flatMap(({ raw }) => (typeof raw === 'string' ? [valueOf(raw)] : []))

interface ShapedSchema {
  shape?: Record<string, unknown>
}
const fieldsOf = (schema: unknown): string[] => Object.keys((schema as ShapedSchema)?.shape ?? {})

/** Every error for bodies and queries of an operation with one invalid part. */
function refusals(operation: Operation): ApiError[] {
  const bodies = [
    ...WHOLE,
    ...fieldsOf(operation.body).flatMap((field) => [
      ...VALUES.map((value) => ({ [field]: value })),
      ...VALUES.map((value) => ({ [field]: [value] })),
    ]),
    { nothing: 1 },
  ]
  const { query } = operation
  const queries = [
    ...fieldsOf(query).flatMap((field) => [
      ...HOSTILE_URL_TEXT.map((text) => ({ [field]: decode(text) })),
      { [field]: ['1', '2'] },
      { [field]: { a: '1' } },
      { [field]: '' },
    ]),
    { starting_after: '1', ending_before: '1' },
    { nothing: '1' },
  ]
  const attempts = [
    ...bodies.map((body) => () => parseBody(operation, body)),
    ...(query ? queries.map((one) => () => parseQuery(query, one)) : []),
  ]
  return attempts.flatMap((parse) => captureRefusal(parse) ?? [])
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The body of an operation that takes a file has no schema. */
const isChecked = ({ method, query, fileMaxBytes }: Operation): boolean =>
  query !== undefined || (/post|patch/.test(method) && fileMaxBytes === undefined)

describe('the error for an invalid body or query', () => {
  it.each(OPERATIONS.filter(isChecked))(
    'of $id is a written sentence that begins with the name of the field',
    (operation) => {
      const found = refusals(operation)
      expect(found.length).toBeGreaterThan(0)
      for (const { message, param } of found) {
        expect(message).toMatch(OURS)
        const words = message.replaceAll(/`[^`]*`/gs, '')
        expect(words).not.toMatch(NOT_OURS)
        if (param !== undefined) expect(message).toContain(`\`${param}\``)
      }
    },
  )

  it.each([
    ['createVideo', {}, '`source_url` is required.'],
    ['createVideo', { source_url: 7 }, '`source_url` must be a string.'],
    ['createFolder', { name: ' ' }, '`name` must not be empty.'],
    ['createChapter', { title: 'A', start: 1.5 }, '`start` must be a whole number.'],
    ['createChapter', { title: 'A', start: -1 }, '`start` must be at least 0.'],
    ['createWebhookEndpoint', { url: 'x', events: 'a' }, '`events` must be a list.'],
    ['createWebhookEndpoint', { url: 'x', events: [] }, '`events` must not be empty.'],
    ['createWebhookEndpoint', { url: 'x', events: [1] }, '`events.0` must be a string.'],
    ['updateWebhookEndpoint', { is_active: 1 }, '`is_active` must be true or false.'],
    [
      'createWebhookReplay',
      { since: 'now' },
      '`since` must be a time with a UTC offset, such as 2026-11-21T09:30:00Z.',
    ],
    [
      'createWebhookReplay',
      { since: '2026-11-21T09:30:00Z', status: 'x' },
      '`status` must be one of failed, delivered, missing.',
    ],
    ['createVideo', { encryption: 1 }, 'This endpoint does not accept `encryption`.'],
    ['createVideo', null, 'The body is not a JSON object.'],
  ])('of a body of %s, %j, is: %s', (id, body, message) => {
    const operation = OPERATIONS.find((one) => one.id === id) as Operation
    expect(captureRefusal(() => parseBody(operation, body))?.message).toBe(message)
  })

  it.each([
    ['listVideos', { limit: '0' }, '`limit` must be at least 1.'],
    ['listVideos', { limit: ['1', '2'] }, '`limit` must be given once.'],
    ['getUsage', { start: '1.2.2026' }, '`start` must be a date such as 2026-11-21.'],
    [
      'listVideos',
      { starting_after: 'x' },
      '`starting_after` must be a video id or a cursor of a list.',
    ],
  ])('of a query of %s, %j, is: %s', (id, query, message) => {
    const { query: schema } = OPERATIONS.find((one) => one.id === id) as Operation
    expect(captureRefusal(() => schema && parseQuery(schema, query))?.message).toBe(message)
  })
})
