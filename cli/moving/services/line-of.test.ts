import { describe, expect, it } from 'vitest'
import { lineText } from '../../../domain/moving/line-text.ts'
import { isFaulty, parseManifestLine } from '../../../domain/moving/parse-line.ts'
import { lineOf } from './line-of.ts'
import type { ServiceVideo } from './service.ts'

const VIDEO: ServiceVideo = {
  id: '1',
  sourceUrl: 'https://files.example/1.mp4',
  expiresAt: null,
  title: 'Tides',
  description: null,
  folder: null,
  tags: [],
  metadata: {},
  createdAt: null,
  oldUrl: null,
  durationSeconds: 60,
  captions: [],
  chapters: [],
  poster: null,
  sha256: null,
  problems: [],
}

function made(more: Partial<ServiceVideo>) {
  const cuts: string[] = []
  const files = { captions: [], poster: null }
  const line = lineOf('vimeo', { ...VIDEO, ...more }, files, (what) => cuts.push(what))
  const parsed = parseManifestLine(lineText(line))
  expect(isFaulty(parsed) ? parsed : []).toEqual([])
  return { line, cuts }
}

describe('a line of a video of a service', () => {
  it('cuts what is longer than this product keeps, and names it', () => {
    const { line, cuts } = made({
      title: '😀'.repeat(300),
      description: 'd'.repeat(5_001),
      folder: 'f'.repeat(256),
      tags: [...Array.from({ length: 25 }, (_, index) => `tag ${index}`), 't'.repeat(65)],
      metadata: Object.fromEntries([
        ['k'.repeat(41), 'v'],
        ['a[b]', 'v'.repeat(501)],
        ...Array.from({ length: 60 }, (_, index) => [`key ${index}`, 'v']),
      ]) as Record<string, string>,
      createdAt: new Date(0),
    })
    expect(Array.from(line.title ?? '')).toHaveLength(255)
    expect(line.description).toHaveLength(5_000)
    expect(line.folder).toHaveLength(255)
    expect(line.tags).toHaveLength(20)
    expect(Object.keys(line.metadata)).toHaveLength(49)
    expect(line.metadata['a_b_']).toHaveLength(500)
    expect(cuts).toEqual([
      'The title is cut at 255 characters.',
      'The description is cut at 5000 characters.',
      'The folder is cut at 255 characters.',
      'A tag is cut at 64 characters.',
      'Of its 26 tags, 20 are kept.',
      'A key of its metadata is cut at 40 characters.',
      'The metadata a_b_ is cut at 500 characters.',
      'Of its 62 keys of metadata, 49 are kept.',
    ])
  })

  it('has no text that the database cannot keep', () => {
    const { line, cuts } = made({
      title: 'a\0b\ud800',
      description: '  ',
      folder: ' ',
      tags: ['', ' '],
      metadata: { empty: '', ok: 'a\0' },
    })
    expect(line).toMatchObject({
      title: 'ab\ufffd',
      description: null,
      folder: null,
      tags: [],
      metadata: { ok: 'a' },
    })
    expect(cuts).toEqual([])
  })

  it('has chapters in whole seconds that do not overlap and end with the video', () => {
    const { line, cuts } = made({
      durationSeconds: 59.2,
      chapters: [
        { title: 'Last', start: 40.9, end: null },
        { title: 'First', start: 0.2, end: 20.5 },
        { title: 'Second', start: 20.9, end: 45 },
      ],
    })
    expect(line.chapters).toEqual([
      { title: 'First', start: 0, end: 20 },
      { title: 'Second', start: 20, end: 40 },
      { title: 'Last', start: 40, end: 60 },
    ])
    expect(cuts).toEqual([])
  })

  it('says so if a chapter has no end, no title or no length', () => {
    const { line, cuts } = made({
      durationSeconds: null,
      chapters: [
        { title: 'One', start: 0, end: null },
        { title: ' ', start: 5, end: null },
        { title: 'Same', start: 8, end: null },
        { title: 'Same', start: 8.5, end: null },
      ],
    })
    expect(line.chapters).toEqual([{ title: 'One', start: 0, end: 5 }])
    expect(cuts).toEqual(['Of its 4 chapters, 1 are kept.'])
  })
})
