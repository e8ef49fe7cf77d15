import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { SCOPES } from '../../domain/accounts/scopes.ts'
import { API_ERRORS } from '../../domain/error-codes.ts'
import { API_DOOR, errorCodesAt } from '../../http/openapi/responses.ts'
import { OPERATIONS } from '../operations.ts'
import { committedDocument, committedDocumentFile } from './document.ts'

interface Schema {
  format?: string
  pattern?: string
  anyOf?: Schema[]
}

interface Document {
  paths: Record<string, Record<string, { responses: object }>>
  webhooks: object
  components: { schemas: object }
}

/** Every property of every object schema in a part of the document, by its name. */
function namedSchemas(part: unknown): [string, Schema][] {
  if (typeof part !== 'object' || part === null) return []
  const { properties } = part as { properties?: Record<string, Schema> }
  return [
    ...Object.entries(properties ?? {}),
    ...Object.values(part).flatMap((inner) => namedSchemas(inner)),
  ]
}

/** Returns a check of the body or the query of an operation by the document. */
function documentedInput(id: string): (input: object) => boolean {
  const { paths } = JSON.parse(committedDocument()) as {
    paths: Record<string, Record<string, DocumentedInput>>
  }
  const found = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id)
  const query = (found?.parameters ?? []).filter((one) => one.in === 'query' && !one.schema.$ref)
  const properties = Object.fromEntries(query.map(({ name, schema }) => [name, schema]))
  const schema = found?.requestBody?.content['application/json'].schema ?? { properties }
  return new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
}

interface DocumentedInput {
  operationId: string
  parameters?: { in: string; name: string; schema: { $ref?: string } }[]
  requestBody?: { content: { 'application/json': { schema: object } } }
}

describe('the OpenAPI document', () => {
  it('equals the committed copy, which npm run openapi writes', () => {
    expect(readFileSync(committedDocumentFile, 'utf8')).toBe(committedDocument())
  })

  it('has an operation for each method of each path, once', () => {
    const ids = OPERATIONS.map(({ id }) => id)
    const places = OPERATIONS.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(places).size).toBe(places.length)
  })

  it('names a parameter for each variable part of a path', () => {
    for (const { path, params } of OPERATIONS) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(params)).toEqual(names)
    }
  })

  it('has one form of a time in responses and events: milliseconds and the offset +00:00', () => {
    const { paths, webhooks, components } = JSON.parse(committedDocument()) as Document
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const schemas = operations.map(({ responses }) => responses)
    const times = namedSchemas([schemas, webhooks, components.schemas])
      .filter(([name, { format }]) => /_at$|^(since|until)$/.test(name) || format === 'date-time')
      .map(([, schema]) => schema)
    expect(times.length).toBeGreaterThan(20)
    for (const { pattern = '.*', anyOf } of times) {
      const form = new RegExp(anyOf?.find((one) => one.pattern)?.pattern ?? pattern)
      expect('2026-11-21T09:30:00.000+00:00').toMatch(form)
      for (const other of ['2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00+00:00', '2026-11-21'])
        expect(other).not.toMatch(form)
    }
  })

  it.each([
    ['createCaption', { language_code: 'en', label: 'English', content: 'WEBVTT' }, true],
    ['createCaption', { language_code: 'en', label: 'English', source_url: 'https://a.b/' }, true],
    ['createCaption', { language_code: 'en', label: 'English' }, false],
    [
      'createCaption',
      { language_code: 'en', label: 'English', content: 'WEBVTT', source_url: 'https://a.b/' },
      false,
    ],
    ['createPlaybackToken', { viewer_id: 'viewer-42' }, true],
    ['createPlaybackToken', { viewer_id: 'viewer\u202e42' }, false],
    ['createPlaybackToken', { viewer_id: 'viewer\n42' }, false],
    ['getUsage', { start: '1970-01-01', end: '9998-12-31' }, true],
    ['getUsage', { start: '1969-12-31' }, false],
    ['getUsage', { end: '9999-01-01' }, false],
    ['listWebhookDeliveries', { since: '1970-01-01T00:00:00Z' }, true],
    ['listWebhookDeliveries', { since: '9999-01-01T00:00:00Z' }, false],
  ])('says of %s whether %j is valid, as the API does', (id, input, isValid) => {
    const { body, query } = OPERATIONS.find((one) => one.id === id) ?? {}
    const schema = body ?? query
    expect(schema?.safeParse(input).success).toBe(isValid)
    expect(documentedInput(id)(input)).toBe(isValid)
  })

  it('uses every scope of a key', () => {
    expect(new Set(OPERATIONS.map(({ scope }) => scope))).toEqual(new Set(SCOPES))
  })

  it('lists every code of the registry that an operation can return', () => {
    const listed = errorCodesAt(API_DOOR, OPERATIONS)
    expect(listed.toSorted()).toEqual(Object.keys(API_ERRORS).toSorted())
  })
})
