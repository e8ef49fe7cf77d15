import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../test/infrastructure/every-case.ts'
import { distinctTags, typedTagKey } from '../videos/own-data.ts'
import { lineText } from './line-text.ts'
import { metadataOf, type ManifestLine } from './manifest.ts'
import { isFaulty, parseManifestLine } from './parse-line.ts'
import { createRepetitions } from './repetitions.ts'

const word = fc
  .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
  .map((text) => text.normalize('NFC').trim())
  .filter((text) => text !== '' && text.isWellFormed() && !text.includes('\0'))
const key = word.filter((text) => !/[[\]]/.test(text) && text.length <= 40)
const part = fc.stringMatching(/^\w[\w .-]{0,11}$/)
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const instant = fc
  .date({ min: new Date(0), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

const chapters = fc
  .array(fc.record({ title: word, length: fc.integer({ min: 1, max: 600 }) }), { maxLength: 5 })
  .map((list) => {
    let start = 0
    return list.map(({ title, length }) => {
      const chapter = { title, start, end: start + length }
      start += length
      return chapter
    })
  })

const captions = fc
  .uniqueArray(fc.constantFrom('en', 'de', 'pt-BR', 'zh-Hant'), { maxLength: 3 })
  .chain((languages) =>
    fc.tuple(
      ...languages.map((language) =>
        fc.record({ path, language: fc.constant(language), label: word, isDefault: fc.boolean() }),
      ),
    ),
  )

const line: fc.Arbitrary<ManifestLine> = fc.record({
  source: fc.oneof(
    fc.record({ kind: fc.constant('path' as const), path }),
    fc.record({ kind: fc.constant('link' as const), url: fc.webUrl() }),
    fc.record({ kind: fc.constant('key' as const), key: word }),
  ),
  externalId: maybe(word),
  title: maybe(word),
  description: maybe(fc.oneof(word, fc.constant(''))),
  folder: maybe(word),
  tags: fc.array(word, { maxLength: 5 }).map((tags) => distinctTags(tags, typedTagKey)),
  metadata: fc.dictionary(key, word, { maxKeys: 5, noNullPrototype: true }),
  captions: maybe(captions as fc.Arbitrary<ManifestLine['captions'] & object>),
  chapters: maybe(chapters),
  poster: maybe(path),
  createdAt: maybe(instant),
  sha256: maybe(fc.stringMatching(/^[0-9a-f]{64}$/)),
  oldUrl: maybe(fc.webUrl()),
})

/** The fields and messages of the faults of a line. */
const faultsOf = (value: unknown): string[] => {
  const parsed = parseManifestLine(typeof value === 'string' ? value : JSON.stringify(value))
  if (!isFaulty(parsed)) throw new Error('the line has no fault')
  return parsed.map(({ field, message }) => `${field} ${message}`)
}

describe('a line of a manifest', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(line, (one) => {
        expect(parseManifestLine(lineText(one))).toEqual(one)
      }),
      runs(300, 5_000),
    )
  })

  it('is one line, whatever its texts are', () => {
    fc.assert(
      fc.property(line, (one) => {
        expect(lineText(one)).not.toMatch(/[\n\r]/)
      }),
      runs(100, 2_000),
    )
  })

  it('is refused or read, whatever its JSON is, and never throws', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          path: fc.jsonValue(),
          tags: fc.jsonValue(),
          metadata: fc.jsonValue(),
          captions: fc.jsonValue(),
          chapters: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())),
          created_at: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    )
    fc.assert(
      fc.property(value, (one) => {
        const parsed = parseManifestLine(JSON.stringify(one))
        if (isFaulty(parsed)) expect(parsed.length).toBeGreaterThan(0)
        else expect(parseManifestLine(lineText(parsed))).toEqual(parsed)
      }),
      runs(300, 5_000),
    )
  })

  it('names every field that is unknown, in captions too', () => {
    const caption = { path: 'a.vtt', language: 'en', label: 'English', kind: 'x' }
    expect(faultsOf({ path: 'a.mp4', titel: 'A', captions: [caption] })).toEqual([
      'captions[0].kind is not a field of a manifest',
      'titel is not a field of a manifest',
    ])
  })

  it.each([
    ['../a.mp4', 'must stay in the folder of the manifest: it has ..'],
    ['a/../../b.mp4', 'must stay in the folder of the manifest: it has ..'],
    ['/etc/passwd', 'must be relative to the folder of the manifest'],
    ['C:/a.mp4', 'must be relative to the folder of the manifest'],
    [String.raw`a\..\..\b.mp4`, 'must have slashes, and no backslash'],
    ['./a.mp4', 'must be a path without empty parts, and without .'],
    ['a//b.mp4', 'must be a path without empty parts, and without .'],
    ['', 'must not be empty'],
    ['a\0.mp4', 'must be well-formed text without NUL characters'],
  ])('has no path that leaves its folder: %j', (bad, message) => {
    expect(faultsOf({ path: bad })).toContain(`path ${message}`)
    expect(faultsOf({ path: 'a.mp4', poster: bad })).toEqual([`poster ${message}`])
  })

  it.each([
    ['[]', ' must be an object of JSON'],
    ['{', ' must be an object of JSON'],
    ['null', ' must be an object of JSON'],
    [' '.repeat(2_000_001), ' must be at most 2000000 characters long'],
    [{}, 'path or source_url, or key must be given, and only one of them'],
    [{ path: 'a', key: 'b' }, 'path or source_url, or key must be given, and only one of them'],
    [{ path: 'a', title: 7 }, 'title must be text'],
    [{ path: 'a', title: 'x'.repeat(256) }, 'title must be at most 255 characters'],
    [{ path: 'a', title: '\ud800' }, 'title must be well-formed text without NUL characters'],
    [{ path: 'a', tags: ['', 'b'] }, 'tags must be texts of 1 to 64 characters'],
    [{ path: 'a', metadata: { a: 1 } }, 'metadata.a must be text, and not be empty'],
    [
      { path: 'a', metadata: { 'a[b]': 'x' } },
      'metadata.a[b] is a key that must have no square brackets',
    ],
    [
      { path: 'a', created_at: '2024-01-31' },
      'created_at must be an ISO 8601 time with an offset, such as 2024-01-31T09:00:00Z',
    ],
    [
      { path: 'a', created_at: '2024-13-31T09:00:00Z' },
      'created_at must be an ISO 8601 time with an offset, such as 2024-01-31T09:00:00Z',
    ],
    [{ path: 'a', sha256: 'abc' }, 'sha256 must be 64 hex characters'],
    [{ path: 'a', old_url: 'javascript:alert(1)' }, 'old_url must be an http or https address'],
    [
      { path: 'a', chapters: [{ title: 'A', start: 5, end: 5 }] },
      'chapters[0] must be an object with title, start and end, which is after start',
    ],
    [
      {
        path: 'a',
        chapters: [
          { title: 'A', start: 0, end: 5 },
          { title: 'B', start: 4, end: 9 },
        ],
      },
      'chapters overlap',
    ],
    [
      { path: 'a', captions: [{ path: 'a.vtt', language: 'x y', label: 'A' }] },
      'captions[0].language must be a BCP 47 language tag such as en or pt-BR',
    ],
    [
      {
        path: 'a',
        captions: ['EN', 'en'].map((language) => ({ path: 'a', language, label: 'A' })),
      },
      'captions has two of the language en',
    ],
  ])('is refused with its field: %j', (value, fault) => {
    expect(faultsOf(value)).toContain(fault)
  })

  it('keeps its time of creation in the metadata, unless it has that key', () => {
    const at = '2020-05-01T10:00:00+02:00'
    const read = (more: object) => {
      const parsed = parseManifestLine(JSON.stringify({ path: 'a', created_at: at, ...more }))
      return isFaulty(parsed) ? parsed : metadataOf(parsed)
    }
    expect(read({})).toEqual({ original_created_at: at })
    expect(read({ metadata: { original_created_at: 'x' } })).toEqual({ original_created_at: 'x' })
    const full = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 'x']))
    expect(read({ metadata: full })).toEqual([
      { field: 'metadata', message: 'has no room for the time of created_at' },
    ])
  })
})

describe('the lines of a manifest', () => {
  it('have an external id and a file once, and the fault names the earlier line', () => {
    const repetitions = createRepetitions()
    const add = (value: object, number: number) => {
      const parsed = parseManifestLine(JSON.stringify(value))
      if (isFaulty(parsed)) throw new Error('faulty')
      return repetitions.add(parsed, number)
    }
    expect(add({ path: 'a', external_id: 'x' }, 1)).toEqual([])
    expect(add({ path: 'x', external_id: 'a' }, 2)).toEqual([])
    expect(add({ path: 'b' }, 3)).toEqual([])
    expect(add({ path: 'a', external_id: 'y' }, 4)).toEqual([
      { field: 'path', message: 'is that of line 1 too' },
    ])
    expect(add({ path: 'c', external_id: 'x' }, 5)).toEqual([
      { field: 'external_id', message: 'is that of line 1 too' },
    ])
  })
})
