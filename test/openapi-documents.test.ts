import { describe, expect, it } from 'vitest'
import { committedDocument } from '../api/openapi/document.ts'
import { committedDashboardDocument } from '../dashboard/server/openapi/document.ts'
import { committedAppDocument } from '../player/server/mobile-app/openapi.ts'
import { generatorProblems } from './fixtures/openapi/document-rules.ts'
import { lintProblems } from './fixtures/openapi/lint-document.ts'

const documents = [
  ['the API', committedDocument()],
  ['the dashboard', committedDashboardDocument()],
  ['the mobile app', committedAppDocument()],
] as const

describe('an OpenAPI document', () => {
  it.each(documents)('of %s is valid, and so are its examples', async (_name, document) => {
    expect(await lintProblems(document)).toEqual([])
  })

  it('of the API has no form that generators of clients fail at', () => {
    expect(generatorProblems(committedDocument())).toEqual([])
  })

  it.each([
    ['an enum without a name', { status: { type: 'string', enum: ['a', 'b'] } }],
    ['a part whose type gets the name of another', { state: { properties: {} } }],
    ['a type that is only null', { parent_id: { type: 'null' } }],
    ['a choice with null without a named type', { id: { anyOf: [{}, { type: 'null' }] } }],
    ['a boolean with one value', { deleted: { type: 'boolean', const: true } }],
    ['a number without a size', { duration: { type: ['number', 'null'] } }],
    ['an integer without a size', { size_bytes: { type: 'integer' } }],
    ['a schema made of several', { error: { allOf: [{}, {}] } }],
  ])('is searched for %s', (problem, properties) => {
    const schemas = { Video: { type: 'object', properties }, VideoState: { type: 'string' } }
    const found = generatorProblems(JSON.stringify({ components: { schemas } }))
    expect(found).toEqual([expect.stringContaining(problem)])
  })
})
