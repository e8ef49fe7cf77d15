import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { HlsKeyTag } from '../domain/drm-system.ts'
import { hlsKeyLine } from './hls-key-line.ts'
import { parseHlsKeyTag } from './speke/hls-key-tag.ts'

const quotable = fc
  .string({ unit: 'binary', minLength: 1 })
  .filter((text) => !/["\p{Cc}]/u.test(text))
const hex = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))
const tags: fc.Arbitrary<HlsKeyTag> = fc.record({
  uri: quotable,
  keyFormat: quotable,
  keyFormatVersions: fc.option(quotable),
  keyIdHex: fc.option(hex),
  ivHex: fc.option(hex),
})
const playlists = fc.constantFrom('media', 'master')

describe('an HLS key tag', () => {
  it('has exactly the attributes that it was written from', () => {
    fc.assert(
      fc.property(tags, playlists, (tag, playlist) => {
        expect(parseHlsKeyTag(hlsKeyLine(tag, playlist), playlist)).toEqual(tag)
      }),
    )
  })

  it('is the same for both playlists, except for its name', () => {
    fc.assert(
      fc.property(tags, (tag) => {
        const attributes = (line: string): string => line.slice(line.indexOf(':'))
        const [media, master] = [hlsKeyLine(tag, 'media'), hlsKeyLine(tag, 'master')]
        expect(attributes(media)).toBe(attributes(master))
        expect(media).toMatch(/^#EXT-X-KEY:/)
        expect(master).toMatch(/^#EXT-X-SESSION-KEY:/)
      }),
    )
  })

  it('is never written with a text that would begin another attribute or line', () => {
    const bad = fc.tuple(quotable, fc.constantFrom('"', '\n', '\r', '\0'), quotable)
    fc.assert(
      fc.property(
        tags,
        bad,
        fc.constantFrom('uri', 'keyFormat', 'keyFormatVersions'),
        (tag, parts, field) => {
          expect(() => hlsKeyLine({ ...tag, [field]: parts.join('') }, 'media')).toThrow(
            'bad string',
          )
        },
      ),
    )
  })
})
