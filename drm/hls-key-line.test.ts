import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hlsKeyTags, quotable } from '../test/fixtures/hls-key-tags.ts'
import { hlsKeyLine } from './hls-key-line.ts'
import { parseHlsKeyTag } from './speke/hls-key-tag.ts'

const playlists = fc.constantFrom('media', 'master')

describe('an HLS key tag', () => {
  it('has exactly the attributes that it was written from', () => {
    fc.assert(
      fc.property(hlsKeyTags, playlists, (tag, playlist) => {
        expect(parseHlsKeyTag(hlsKeyLine(tag, playlist), playlist)).toEqual(tag)
      }),
    )
  })

  it('is the same for both playlists, except for its name', () => {
    fc.assert(
      fc.property(hlsKeyTags, (tag) => {
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
        hlsKeyTags,
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
