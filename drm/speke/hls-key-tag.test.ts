import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HlsKeyTag } from '../../domain/drm/drm-system.ts'
import { hlsKeyTags } from '../../test/fixtures/hls-key-tags.ts'
import { parseHlsKeyTag } from './hls-key-tag.ts'

const KID = '0123456789abcdef0123456789abcdef'
const TAG = `#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://a,b=c",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"`

const attributesOf = (tag: HlsKeyTag): string[] => [
  'METHOD=SAMPLE-AES',
  `URI="${tag.uri}"`,
  `KEYFORMAT="${tag.keyFormat}"`,
  ...(tag.keyFormatVersions === null ? [] : [`KEYFORMATVERSIONS="${tag.keyFormatVersions}"`]),
  ...(tag.keyIdHex === null ? [] : [`KEYID=0x${tag.keyIdHex}`]),
  ...(tag.ivHex === null ? [] : [`IV=0X${tag.ivHex.toUpperCase()}`]),
]

describe('the HLS key tag of a provider', () => {
  it('is read with its attributes in any order', () => {
    const written = hlsKeyTags.chain((tag) =>
      fc
        .shuffledSubarray(attributesOf(tag), { minLength: attributesOf(tag).length })
        .map((attributes) => ({ tag, list: attributes.join(',') })),
    )
    fc.assert(
      fc.property(written, ({ tag, list }) => {
        expect(parseHlsKeyTag(`#EXT-X-KEY:${list}`, 'media')).toEqual(tag)
        expect(parseHlsKeyTag(`#EXT-X-SESSION-KEY:${list}\n`, 'master')).toEqual(tag)
      }),
    )
  })

  it('is refused with a piece missing or doubled', () => {
    const damaged = fc
      .tuple(fc.nat(TAG.length - 1), fc.integer({ min: 1, max: 60 }), fc.boolean())
      .map(([at, length, doubles]) => {
        const piece = TAG.slice(at, at + length)
        return TAG.slice(0, at) + (doubles ? piece + piece : '') + TAG.slice(at + length)
      })
    fc.assert(
      fc.property(damaged, (text) => {
        const tag = parseHlsKeyTag(text, 'media')
        // What remains is one well-formed tag: only the content of a quoted value was damaged.
        if (tag) expect(`#EXT-X-KEY:${attributesOf(tag).join(',')}`).toBe(text)
      }),
    )
  })

  it.each([
    ['of the other playlist', TAG.replace('#EXT-X-KEY', '#EXT-X-SESSION-KEY')],
    ['without a URI', TAG.replace(/URI="[^"]*",/, '')],
    ['without a KEYFORMAT', TAG.replace(/,KEYFORMAT="[^"]*"/, '')],
    ['with another METHOD', TAG.replace('SAMPLE-AES', 'AES-128')],
    ['with METHOD=NONE', '#EXT-X-KEY:METHOD=NONE'],
    ['with a second line', `${TAG}\n#EXT-X-ENDLIST`],
    ['with a line end inside a value', TAG.replace('skd://', 'skd://\r\n')],
    ['with an unknown attribute', `${TAG},X-OTHER="1"`],
    ['with one attribute twice', `${TAG},KEYFORMATVERSIONS="1"`],
    ['with an unquoted URI', TAG.replace('"skd://a,b=c"', 'skd://a')],
    ['with a short KEYID', `${TAG},KEYID=0x0123`],
    ['with an IV that is not hex', `${TAG},IV=0x${KID.replace('0', 'g')}`],
    ['with a comma at its end', `${TAG},`],
    ['with spaces between attributes', TAG.replace(',URI', ', URI')],
    ['that is empty', ''],
  ])('is refused %s', (_title, text) => {
    expect(parseHlsKeyTag(text, 'media')).toBeNull()
  })
})
