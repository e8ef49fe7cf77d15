import { describe, expect, it } from 'vitest'
import { languageOfFile } from '../web/pages/videos/captions/language-name.ts'
import { parseClock } from '../web/pages/videos/marks/clock.ts'
import {
  changesOf,
  rangeOf,
  withChapterAt,
  withMomentAt,
  withMove,
  type Mark,
} from '../web/pages/videos/marks/marks.ts'

const LAST = 60

const chapter = (id: number, start: number, end: number): Mark => ({
  key: String(id),
  id,
  text: `Chapter ${id}`,
  start,
  end,
})

const times = (marks: readonly Mark[] | null) => marks?.map(({ start, end }) => [start, end])

describe('a chapter that is added', () => {
  it.each([
    ['to an empty video, lasts to its end', [], 5, [[5, 60]]],
    [
      'before another, ends where that begins',
      [chapter(1, 20, 30)],
      5,
      [
        [5, 20],
        [20, 30],
      ],
    ],
    [
      'within another, divides it',
      [chapter(1, 0, 30)],
      10,
      [
        [0, 10],
        [10, 30],
      ],
    ],
    [
      'after all, lasts to the end',
      [chapter(1, 0, 30)],
      40,
      [
        [0, 30],
        [40, 60],
      ],
    ],
  ])('%s', (_what, marks, at, expected) => {
    expect(times(withChapterAt(marks, at, LAST, 'new'))).toEqual(expected)
  })

  it('is refused where another begins, and at the end', () => {
    expect(withChapterAt([chapter(1, 5, 10)], 5, LAST, 'new')).toBeNull()
    expect(withChapterAt([], LAST, LAST, 'new')).toBeNull()
  })
})

describe('a boundary that moves', () => {
  const [first, second] = [chapter(1, 0, 20), chapter(2, 20, 40)]

  it('takes the chapter along that it touches, but not its beginning', () => {
    expect(times(withMove([first, second], second, 'start', 10, LAST))).toEqual([
      [0, 10],
      [10, 40],
    ])
    expect(times(withMove([first, second], second, 'start', -5, LAST))).toEqual([
      [0, 1],
      [1, 40],
    ])
    expect(times(withMove([first, second], second, 'start', 99, LAST))).toEqual([
      [0, 39],
      [39, 40],
    ])
  })

  it('stops at the next chapter and at the end of the video', () => {
    const apart = chapter(2, 30, 40)
    expect(rangeOf([first, apart], first, 'end', LAST)).toEqual({ min: 1, max: 30 })
    expect(rangeOf([first, apart], apart, 'end', LAST)).toEqual({ min: 31, max: LAST })
    expect(rangeOf([first, apart], apart, 'start', LAST)).toEqual({ min: 20, max: 39 })
  })
})

describe('moments', () => {
  const moment = (id: number, start: number): Mark => ({ ...chapter(id, start, 0), end: null })

  it('never share a second', () => {
    const marks = [moment(1, 5), moment(2, 9)]
    expect(withMomentAt(marks, 5, 'new')).toBeNull()
    expect(times(withMove(marks, moment(2, 9), 'start', 5, LAST))).toEqual([
      [5, null],
      [9, null],
    ])
    expect(times(withMove(marks, moment(2, 9), 'start', 4.4, LAST))).toEqual([
      [4, null],
      [5, null],
    ])
  })
})

it('the changes are what is new, changed and gone, and what they start from', () => {
  const saved = [chapter(1, 0, 10), chapter(2, 10, 20), chapter(3, 20, 30)]
  const added: Mark = { key: 'new', id: null, text: 'New', start: 40, end: 50 }
  const changed = chapter(2, 12, 20)
  expect(changesOf(saved, [chapter(1, 0, 10), changed, added])).toEqual({
    from: saved,
    changed: [changed, added],
    deletedIds: [3],
  })
  expect(changesOf(saved, saved)).toEqual({ from: saved, changed: [], deletedIds: [] })
})

it.each([
  ['65', 65],
  ['1:05', 65],
  ['75:00', 4500],
  ['1:02:03', 3723],
  ['1:60', null],
  ['1:60:00', null],
  ['-1', null],
  ['1.5', null],
  ['', null],
])('the time %j is %p seconds', (text, seconds) => {
  expect(parseClock(text)).toBe(seconds)
})

it.each([
  ['lesson.de.vtt', 'de'],
  ['lesson_pt-br.VTT', 'pt-BR'],
  ['lesson.vtt', null],
  ['de', null],
])('the file %j is in the language %p', (name, language) => {
  expect(languageOfFile(name)).toBe(language)
})
