import { expect, it } from 'vitest'
import { chaptersOfSource } from './source-chapters.ts'

const chapter = (startMs: number, endMs: number, title = '') => ({ startMs, endMs, title })

it('takes chapters in whole seconds, in order and numbered, without overlaps and within the video', () => {
  const stated = [
    chapter(10_400, 20_600, 'The middle'),
    chapter(0, 10_400),
    chapter(15_000, 30_000, 'overlaps'),
    chapter(20_600, 20_700, 'too short'),
    chapter(21_000, 99_000),
    chapter(200_000, 300_000, 'after the end'),
  ]
  expect(chaptersOfSource(stated, 60_500)).toEqual([
    { start: 0, end: 10, title: 'Chapter 1' },
    { start: 10, end: 21, title: 'The middle' },
    { start: 21, end: 61, title: 'Chapter 3' },
  ])
})

it('keeps at most 500 chapters', () => {
  const many = Array.from({ length: 600 }, (_, at) => chapter(at * 1000, (at + 1) * 1000))
  expect(chaptersOfSource(many, 600_000)).toHaveLength(500)
})
