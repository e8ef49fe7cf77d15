import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../test/infrastructure/every-case.ts'
import { fileNameOf, videoExtension } from './file-names.ts'
import { relativePathFault } from './relative-path.ts'

const SHA = 'a'.repeat(64)

describe('the name of an exported file', () => {
  it.each([
    ['Opening night', `opening-night-${'a'.repeat(12)}`],
    ['Über alles: 100 %', `uber-alles-100-${'a'.repeat(12)}`],
    ['日本語', `video-${'a'.repeat(12)}`],
    ['../../etc/passwd', `etc-passwd-${'a'.repeat(12)}`],
  ])('of %j is %j', (title, name) => {
    expect(fileNameOf(title, SHA)).toBe(name)
  })

  it('is a path of a manifest, whatever the title is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (title) => {
        const name = fileNameOf(title, SHA)
        expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        expect(relativePathFault(name)).toBeNull()
      }),
      runs(200, 5_000),
    )
  })
})

describe('the extension of an exported original', () => {
  it.each([
    ['mp4', '\0\0\0\x20ftypisom'],
    ['mov', '\0\0\0\x14ftypqt  '],
    ['mkv', '\x1aE\xdf\xa3\x01matroska'],
    ['webm', '\x1aE\xdf\xa3\x01webm'],
    ['avi', 'RIFF\0\0\0\0AVI LIST'],
    ['ogv', 'OggS\0'],
    ['wmv', '\x30\x26\xb2\x75\x8e'],
    ['flv', 'FLV\x01'],
    ['ts', `G${'\0'.repeat(187)}G`],
    ['video', 'anything else'],
    ['video', ''],
  ])('is %s', (extension, start) => {
    expect(videoExtension(Buffer.from(start, 'latin1'))).toBe(extension)
  })
})
