import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AUDIT_ENTRY_MAX_BYTES, DELETED_VIDEOS_MAX, TITLE_MAX_LENGTH } from '../limits.ts'
import { boundStates, bytesOfStates, isShortened } from './audit-bounds.ts'
import { changedFields, type AuditedFields } from './audit.ts'

const fieldName = fc.string({ unit: 'binary', maxLength: 20 }).map((name) => `field ${name}`)
const long = fc.integer({ min: 1, max: 8000 }).map((count) => '語\u0001"'.repeat(count))
const rows = fc.array(fc.record({ id: fc.oneof(fc.integer(), long), label: long }), {
  maxLength: 3,
})
const value = fc.oneof(fc.jsonValue(), long, rows)
const state = fc.option(fc.dictionary(fieldName, value, { maxKeys: 12 }))

describe('the states of an entry', () => {
  it('never have more bytes than their limit, are valid JSON, and keep the names of all fields', () => {
    fc.assert(
      fc.property(state, state, (before, after) => {
        const states = changedFields(before, after, Object.keys({ ...before, ...after }))
        const bound = boundStates(states, AUDIT_ENTRY_MAX_BYTES)
        const json = [bound.before, bound.after].map((one) => JSON.stringify(one))
        expect(Buffer.byteLength(json.join(''))).toBeLessThanOrEqual(AUDIT_ENTRY_MAX_BYTES)
        const namesOf = (fields: AuditedFields | null) => fields && Object.keys(fields).toSorted()
        const [oldState = null, newState = null] = json.map((one) => JSON.parse(one))
        expect(namesOf(oldState)).toEqual(namesOf(states.before))
        expect(namesOf(newState)).toEqual(namesOf(states.after))
      }),
      { numRuns: 50 },
    )
  })

  it('stay as they are up to the limit, in bytes of UTF-8', () => {
    const states = { before: { text: '語'.repeat(10) }, after: { text: 'b' } }
    const bytes = bytesOfStates(states)
    expect(bytes).toBe('{"text":""}'.length * 2 + 31)
    expect(boundStates(states, bytes)).toEqual(states)
    expect(boundStates(states, bytes - 1)).toEqual({
      before: { text: { shortened: true, count: 10 } },
      after: { text: 'b' },
    })
  })

  it('lose the longest fields first, and say how many items, fields or characters each had', () => {
    const states = {
      before: { title: 'One', list: Array.from({ length: 40 }, () => 'x'), text: 'y'.repeat(100) },
      after: { title: 'Two', list: ['x'], text: null },
    }
    expect(boundStates(states, 210)).toEqual({
      before: { title: 'One', list: { shortened: true, count: 40 }, text: 'y'.repeat(100) },
      after: { title: 'Two', list: ['x'], text: null },
    })
    expect(boundStates(states, 0)).toEqual({
      before: {
        title: 'One',
        list: { shortened: true, count: 40 },
        text: { shortened: true, count: 100 },
      },
      after: { title: 'Two', list: ['x'], text: null },
    })
    const metadata = { a: 'x'.repeat(100), b: 'y' }
    const { after } = boundStates({ before: null, after: { metadata } }, 50)
    expect(after).toEqual({ metadata: { shortened: true, count: 2 } })
    expect(isShortened(after?.metadata)).toBe(true)
    expect(isShortened({ shortened: 'true' })).toBe(false)
  })

  it('name each video of a deletion of many, however long the titles are', () => {
    const videos = Array.from({ length: DELETED_VIDEOS_MAX }, (_, at) => ({
      id: at.toString(16).padStart(20, '0'),
      title: '語'.repeat(TITLE_MAX_LENGTH),
    }))
    const states = { before: null, after: { count: videos.length, videos } }
    const kept = { shortened: true, count: videos.length, ids: videos.map(({ id }) => id) }
    expect(boundStates(states, AUDIT_ENTRY_MAX_BYTES).after?.videos).toEqual(kept)
    expect(boundStates(states, 0, AUDIT_ENTRY_MAX_BYTES).after?.videos).toEqual(kept)
  })
})
