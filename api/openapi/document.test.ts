import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { ERRORS } from '../../domain/error-codes.ts'
import { SCOPES } from '../../domain/scopes.ts'
import { OPERATIONS } from '../operations.ts'
import { committedDocument, committedDocumentFile } from './committed-document.ts'
import { errorCodesOf } from './error-responses.ts'

describe('the OpenAPI document', () => {
  it('is committed as it is made: npm run openapi writes it', () => {
    expect(readFileSync(committedDocumentFile, 'utf8')).toBe(committedDocument())
  })

  it('has an operation for each method of each path, once', () => {
    const ids = OPERATIONS.map(({ id }) => id)
    const places = OPERATIONS.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(places).size).toBe(places.length)
  })

  it('names a parameter for each part of a path that the caller chooses', () => {
    for (const { path, params } of OPERATIONS) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(params)).toEqual(names)
    }
  })

  it('uses every scope that a key can carry', () => {
    expect(new Set(OPERATIONS.map(({ scope }) => scope))).toEqual(new Set(SCOPES))
  })

  it('lists every code of the registry that an operation can answer with', () => {
    const listed = new Set(OPERATIONS.flatMap(errorCodesOf))
    // These belong to no operation: nothing is at the address, or Stripe calls.
    const elsewhere = ['route_not_found', 'method_not_allowed', 'invalid_payment']
    expect([...listed, ...elsewhere].toSorted()).toEqual(Object.keys(ERRORS).toSorted())
  })
})
