import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeMetadata, distinctTags, tagKey } from './own-data.ts'

describe('a change of metadata', () => {
  it('replaces the values of its keys, removes those with null or without text, and keeps the others', () => {
    const before = { course: '7', teacher: 'Ada', room: 'B' }
    expect(
      changeMetadata(before, { course: '8', teacher: null, room: '', term: 'autumn' }),
    ).toEqual({
      course: '8',
      term: 'autumn',
    })
    expect(changeMetadata(before, {})).toEqual(before)
    expect(changeMetadata(before, null)).toEqual({})
  })
})

describe('tags', () => {
  it('are the same whatever their case and the composition of their letters; the first one stays', () => {
    expect(distinctTags([' Café ', 'cafe\u0301', 'CAFÉ', 'tea'])).toEqual(['Café', 'tea'])
  })

  it('have no repetitions, and all of what was given', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1 }).filter((tag) => tag.trim() !== '')),
        (tags) => {
          const keys = distinctTags(tags).map(tagKey)
          expect(new Set(keys).size).toBe(keys.length)
          expect(new Set(keys)).toEqual(new Set(tags.map((tag) => tagKey(tag.trim()))))
        },
      ),
    )
  })
})
