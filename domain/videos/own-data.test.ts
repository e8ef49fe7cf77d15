import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeMetadata, changeTags, distinctTags, storedTag, typedTagKey } from './own-data.ts'

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
    const given = [' Café ', 'cafe\u0301', 'CAFÉ', 'tea']
    expect(distinctTags(given, typedTagKey)).toEqual(['Café', 'tea'])
  })

  it('have no repetitions, and all of what was given', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1 }).filter((tag) => tag.trim() !== '')),
        (tags) => {
          const keys = distinctTags(tags, typedTagKey).map(typedTagKey)
          expect(new Set(keys).size).toBe(keys.length)
          expect(new Set(keys)).toEqual(new Set(tags.map((tag) => typedTagKey(storedTag(tag)))))
        },
      ),
    )
  })

  it('lose those that are removed, in any case, and get those that are added at the end', () => {
    const change = { added: ['tea', 'Coffee'], removed: [' COFFEE ', 'café'] }
    const before = ['Café', 'coffee', 'Tea']
    expect(changeTags(before, change, typedTagKey)).toEqual(['Tea', 'Coffee'])
  })
})
