import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import fc from 'fast-check'
import { createFile, MP4BoxBuffer } from 'mp4box'
import { beforeAll, describe, expect, it } from 'vitest'
import { ownSignalling } from '../../drm/own-signalling.ts'
import { initSegmentFault } from '../../drm/signalling-fault.ts'
import {
  H264,
  picture,
  SEGMENTS,
  setUpMediaFixture,
  signal,
  tone,
} from '../../test/fixtures/media-files.ts'
import { readEncryptionBoxes } from './encryption-boxes.ts'
import { packageRendition, type PackagedRendition } from './package-rendition.ts'

const t = setUpMediaFixture()
const [keyId, iv] = [Buffer.alloc(16, 0xa1), Buffer.alloc(16, 0xb2)]
const systems = ownSignalling(keyId, iv)
const stored = { keyIdHex: keyId.toString('hex'), ivHex: iv.toString('hex'), systems }
const key = { keyIdHex: stored.keyIdHex, keyHex: 'c3'.repeat(16), ivHex: stored.ivHex }
const pssh = systems.flatMap(({ psshBase64 }) => psshBase64 ?? [])

/** The hashes of all packets as ffmpeg's reader sees them. */
async function packetHashes(path: string, ...options: string[]): Promise<string[]> {
  const wanted = ['-show_packets', '-show_data_hash', 'md5', '-show_entries', 'packet=data_hash']
  const { stdout } = await execa('ffprobe', ['-v', 'quiet', ...options, ...wanted, path])
  return stdout.match(/(?<=data_hash=)\S+/g) ?? []
}

describe.each([
  ['video', () => [...picture('320x180', 25, 6), ...H264, '-g', '50']],
  ['audio', () => [...tone(6), '-c:a', 'aac']],
] as const)('a packaged %s track of a Multi-DRM video', (kind, source) => {
  let packaged: PackagedRendition
  let encodedPath: string
  let init: Buffer

  beforeAll(async () => {
    encodedPath = await t.make(`${kind}.mp4`, ...source())
    const outputDir = join(t.folder, kind)
    await mkdir(outputDir)
    const described = { name: kind, language: null, label: null } as const
    packaged = await packageRendition({
      ...described,
      inputPath: encodedPath,
      kind,
      outputDir,
      ...SEGMENTS,
      key,
      scheme: 'cbcs',
      trackType: kind === 'video' ? 'SD' : 'AUDIO',
      pssh,
      signal,
    })
    init = await readFile(packaged.initPath)
  })

  it('names its key, scheme, pattern, IV and pssh boxes, and mp4box reads the same', () => {
    const boxes = readEncryptionBoxes(init)
    expect(initSegmentFault(stored, kind, boxes)).toBeNull()
    const file = createFile()
    const bytes = new Uint8Array(init)
    file.appendBuffer(MP4BoxBuffer.fromArrayBuffer(bytes.buffer, 0))
    file.flush()
    const [schm] = file.getBoxes('schm', false)
    const [tenc] = file.getBoxes('tenc', false)
    expect(schm?.scheme_type).toBe(boxes?.scheme)
    expect(tenc?.default_KID).toBe(boxes?.keyIdHex)
    expect(tenc?.default_crypt_byte_block).toBe(boxes?.encryptedBlocks)
    expect(tenc?.default_skip_byte_block).toBe(boxes?.clearBlocks)
    expect(Buffer.from(tenc?.default_constant_IV ?? []).toString('hex')).toBe(stored.ivHex)
    const systemIds = file.getBoxes('pssh', false).map(({ system_id }) => system_id)
    expect(systemIds.map((id) => id.replaceAll('-', '').toLowerCase()).toSorted()).toEqual(
      systems
        .slice(0, 2)
        .map(({ systemId }) => systemId.replaceAll('-', ''))
        .toSorted(),
    )
  })

  it('is decrypted by ffmpeg to the packets of the encoder', async () => {
    const whole = join(t.folder, `${kind}-whole.mp4`)
    const segments = await Promise.all(packaged.segmentPaths.map((path) => readFile(path)))
    await writeFile(whole, Buffer.concat([init, ...segments]))
    const encoded = await packetHashes(encodedPath)
    expect(await packetHashes(whole, '-decryption_key', key.keyHex)).toEqual(encoded)
    expect(await packetHashes(whole, '-decryption_key', 'd4'.repeat(16))).not.toEqual(encoded)
  })

  it('is not read when a byte of its boxes is missing', () => {
    fc.assert(
      fc.property(fc.nat({ max: init.length - 1 }), (length) => {
        expect(readEncryptionBoxes(init.subarray(0, length))).toBeNull()
      }),
    )
  })
})

describe('a file without encryption', () => {
  it('has no encryption boxes, and other bytes never break the reader', async () => {
    const path = await t.make('clear.mp4', ...picture('320x180', 25, 1), ...H264)
    expect(readEncryptionBoxes(await readFile(path))).toBeNull()
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(readEncryptionBoxes(Buffer.from(bytes))).toBeNull()
      }),
    )
  })
})
