import { describe, expect, it } from 'vitest'
import { EVENT_TYPES, SUBSCRIBABLE_EVENT_TYPES } from '../../domain/webhooks/events.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { checkEvent } from '../../test/infrastructure/check-events.ts'
import { EVENT_CATALOG, exampleOf } from '../../views/webhooks/event-type.ts'

const t = setUpApiFixture()

interface EventTypeView {
  type: string
  description: string
  is_subscribable: boolean
  is_sent: boolean
  schema: { $schema: string; properties: { type: { const: string } }; examples: unknown[] }
}

const listed = async () =>
  (await t.call('GET', '/v1/event-types')).json.data as unknown as EventTypeView[]

describe('the catalog of event types', () => {
  it('is returned by GET /v1/event-types: every type, when it is sent, and the schema of the whole event', async () => {
    const types = await listed()
    expect(types.map(({ type }) => type)).toEqual(EVENT_TYPES)
    for (const { type, description, schema } of types) {
      expect(description).toMatch(/\w/)
      expect(schema).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        required: ['id', 'type', 'created_at', 'data'],
        properties: { type: { const: type } },
      })
      expect(JSON.stringify(schema)).not.toContain('$ref')
    }
  })

  it('marks the types that endpoints can subscribe to, and those that are reserved', async () => {
    const types = await listed()
    const named = (field: 'is_subscribable' | 'is_sent', value: boolean) =>
      types.filter((one) => one[field] === value).map(({ type }) => type)
    expect(named('is_subscribable', true)).toEqual(SUBSCRIBABLE_EVENT_TYPES)
    expect(named('is_sent', false)).toEqual(['usage.threshold_reached'])
  })

  it('requires the scope webhooks:read', async () => {
    const key = await t.keyFor(t.ours.id, ['account:read'])
    expect((await t.call('GET', '/v1/event-types', { key })).code).toBe('insufficient_scope')
  })

  it.each(EVENT_CATALOG)('has an example of $type that its schema accepts', ({ example }) => {
    expect(checkEvent(JSON.stringify(example))).toEqual(example)
  })

  it.each([
    ['without an id', { id: undefined }],
    ['with an additional field', { account_id: 1 }],
    ['of an unknown type', { type: 'video.made' }],
    ['with the data of another type', { data: exampleOf('payment.paid').data }],
    ['with an invalid time', { created_at: 'yesterday' }],
    ['with a time in another form', { created_at: '2026-11-21T09:30:00.000Z' }],
  ])('accepts no event %s', (_what, change) => {
    const body = JSON.stringify({ ...exampleOf('video.ready'), ...change })
    expect(() => checkEvent(body)).toThrow('no event that an integrator could expect')
  })
})
