import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedFields } from './audit.ts'

describe('the fields of an audit entry', () => {
  const video = { id: 'a', title: 'One', folder_id: null, embed_url: 'https://play.example/v/x' }

  it('are the allowed fields that differ, before and after', () => {
    expect(changedFields(video, { ...video, title: 'Two' }, ['title', 'folder_id'])).toEqual({
      before: { title: 'One' },
      after: { title: 'Two' },
    })
  })

  it('are all allowed fields of a new or a deleted object', () => {
    expect(changedFields(null, video, ['title', 'folder_id'])).toEqual({
      before: null,
      after: { title: 'One', folder_id: null },
    })
    expect(changedFields(video, null, ['title'])).toEqual({ before: { title: 'One' }, after: null })
  })

  it('compare lists and objects by their content', () => {
    const before = { allowed_domains: ['a.example'], colors: { accent: '#fff' } }
    const after = { allowed_domains: ['a.example', 'b.example'], colors: { accent: '#fff' } }
    expect(changedFields(before, after, ['allowed_domains', 'colors'])).toEqual({
      before: { allowed_domains: ['a.example'] },
      after: { allowed_domains: ['a.example', 'b.example'] },
    })
  })

  it('have of a list of rows those that differ, and a list of plain values as a whole', () => {
    const row = (id: number, label: string) => ({ label, id })
    const before = { data: [row(1, 'A'), row(2, 'B'), row(3, 'C')], tags: ['a'] }
    const after = { data: [row(4, 'D'), { id: 1, label: 'A' }, row(2, 'b')], tags: ['a', 'b'] }
    expect(changedFields(before, after, ['data', 'tags'])).toEqual({
      before: { data: [row(2, 'B'), row(3, 'C')], tags: ['a'] },
      after: { data: [row(4, 'D'), row(2, 'b')], tags: ['a', 'b'] },
    })
    expect(changedFields({ tags: [] }, { tags: ['b'] }, ['tags']).after).toEqual({ tags: ['b'] })
  })

  it('are the same in any order of their own fields', () => {
    const before = { colors: { text: '#000', accent: '#fff' } }
    const after = { colors: { accent: '#fff', text: '#000' } }
    expect(changedFields(before, after, ['colors'])).toEqual({ before: {}, after: {} })
  })

  it('never hold a field that is not allowed', () => {
    const fields = fc.option(fc.dictionary(fc.string(), fc.jsonValue()))
    fc.assert(
      fc.property(fields, fields, fc.array(fc.string()), (before, after, allowed) => {
        const changed = changedFields(before, after, allowed)
        for (const name of Object.keys({ ...changed.before, ...changed.after }))
          expect(allowed).toContain(name)
      }),
    )
  })
})
