import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { API_ERRORS } from '../../domain/error-codes.ts'
import { SCOPES } from '../../domain/scopes.ts'
import { OPERATIONS } from '../operations.ts'
import { committedDocument, committedDocumentFile } from './document.ts'
import { errorCodesOf } from './responses.ts'

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

  it('has one form of a time in answers and events: milliseconds and the offset +00:00', () => {
    const { paths, webhooks, components } = JSON.parse(committedDocument()) as Document
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const answers = operations.map(({ responses }) => responses)
    const times = namedSchemas([answers, webhooks, components.schemas])
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

  it('uses every scope of a key', () => {
    expect(new Set(OPERATIONS.map(({ scope }) => scope))).toEqual(new Set(SCOPES))
  })

  it('lists every code of the registry that an operation can return', () => {
    const listed = new Set(OPERATIONS.flatMap(errorCodesOf))
    // These belong to no operation: an unknown route, or Stripe's.
    const elsewhere = ['route_not_found', 'method_not_allowed', 'invalid_payment']
    expect([...listed, ...elsewhere].toSorted()).toEqual(Object.keys(API_ERRORS).toSorted())
  })
})
