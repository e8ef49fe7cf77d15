import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DRM_SYSTEM_IDS } from '../domain/drm/drm-system.ts'
import { createEgress } from '../egress/egress.ts'
import { keyFlag, runPackager } from '../media/package/packager.ts'
import { H264, picture, setUpMediaFixture, signal } from '../test/fixtures/media-files.ts'
import { createKeyProviders } from './key-providers.ts'
import { ownSignalling } from './own-signalling.ts'
import { playReadyHeaderOf, writePlayReadyObject } from './playready-object.ts'
import { parsePssh, writePssh } from './pssh.ts'

const files = setUpMediaFixture()
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((one) => Buffer.from(one))

describe('the signalling of keys that are made here', () => {
  it('has the boxes that Shaka Packager writes for the same key', async () => {
    const keyId = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
    const source = await files.make('source.mp4', ...picture('320x180', 25, 1), ...H264)
    const mpd = join(files.folder, 'manifest.mpd')
    const output = join(files.folder, 'encrypted.mp4')
    const { exitCode } = await runPackager(
      [
        `in=${source},stream=video,output=${output}`,
        '--protection_scheme',
        'cbcs',
        '--mpd_output',
        mpd,
      ],
      [
        '--enable_raw_key_encryption',
        keyFlag({ keyIdHex: keyId.toString('hex'), keyHex: keyId.toString('hex') }),
        '--protection_systems=Widevine,PlayReady',
      ],
      { signal, outputDir: files.folder },
    )
    expect(exitCode).toBe(0)
    const manifest = await readFile(mpd, 'utf8')
    const [widevine, playready] = ownSignalling(keyId, keyId)
    expect(manifest).toContain(`<cenc:pssh>${widevine?.psshBase64}</cenc:pssh>`)
    expect(manifest).toContain(`<cenc:pssh>${playready?.psshBase64}</cenc:pssh>`)
    expect(manifest).toContain(`<mspr:pro>${playready?.proBase64}</mspr:pro>`)
  })

  it('names the key id and the IV in the address of FairPlay', () => {
    const [, , fairplay] = ownSignalling(Buffer.alloc(16, 0xab), Buffer.alloc(16, 0xcd))
    expect(fairplay?.hlsMedia?.uri).toBe(
      `skd://abababab-abab-abab-abab-abababababab:${'CD'.repeat(16)}`,
    )
    expect(fairplay?.hlsMaster).toEqual(fairplay?.hlsMedia)
  })

  it('comes with random keys and the proposed ids and IVs, without any request', async () => {
    const provider = createKeyProviders({ egress: createEgress(), keyModel: 'own', speke: null })
    const keyProvider = provider('multi-drm')
    const wanted = keyProvider
      .groups(['SD'])
      .map((group) => ({ ...group, keyId: Buffer.alloc(16, 1), iv: Buffer.alloc(16, 2) }))
    const keys = await keyProvider.createKeys({ videoId: 'v', keys: wanted })
    expect(keys.map(({ name }) => name)).toEqual(['AUDIO', 'SD', 'HD', 'UHD'])
    expect(new Set(keys.map(({ key }) => key.toString('hex'))).size).toBe(4)
    for (const { ivHex, systems } of keys) {
      expect(ivHex).toBe('02'.repeat(16))
      expect(systems.map(({ systemId }) => systemId)).toEqual(Object.values(DRM_SYSTEM_IDS))
    }
  })
})

describe('a pssh box', () => {
  it('is read as it was written, and refused when a byte is missing or added', () => {
    const boxes = fc.tuple(fc.constantFrom(...Object.values(DRM_SYSTEM_IDS)), fc.uint8Array())
    fc.assert(
      fc.property(boxes, fc.nat(), ([systemId, data], at) => {
        const box = writePssh(systemId, Buffer.from(data))
        expect(parsePssh(box.toString('base64'))).toMatchObject({
          systemId,
          data: Buffer.from(data),
        })
        expect(parsePssh(box.subarray(0, at % box.length).toString('base64'))).toBeNull()
        expect(parsePssh(Buffer.concat([box, Buffer.alloc(1)]).toString('base64'))).toBeNull()
      }),
    )
  })

  it('of version 1 has key ids before its data', () => {
    const head = writePssh(DRM_SYSTEM_IDS.widevine, Buffer.alloc(0)).subarray(0, 28)
    const tail = Buffer.from([0, 0, 0, 1, ...Buffer.alloc(16, 7), 0, 0, 0, 2, 8, 9])
    const box = Buffer.concat([head, tail])
    box.writeUInt32BE(box.length, 0)
    box.writeUInt8(1, 8)
    expect(parsePssh(box.toString('base64'))?.data).toEqual(Buffer.from([8, 9]))
    box.writeUInt32BE(0xffff_ffff, 28)
    expect(parsePssh(box.toString('base64'))).toBeNull()
  })

  it('is refused in anything but base64, and never breaks the reader', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), bytes(64).map(String)), (text) => {
        expect(parsePssh(text)).toBeNull()
      }),
    )
  })
})

describe('a PlayReady object', () => {
  it('is read as it was written, and refused when it is cut off or altered in length', () => {
    fc.assert(
      fc.property(bytes(16), fc.nat(), (keyId, at) => {
        const object = writePlayReadyObject(keyId)
        expect(playReadyHeaderOf(object)).toContain('ALGID="AESCBC"')
        expect(playReadyHeaderOf(object.subarray(0, at % object.length))).toBeNull()
        const altered = Buffer.from(object)
        altered.writeUInt16LE(at % 0xffff, 8)
        if (!altered.equals(object)) expect(playReadyHeaderOf(altered)).toBeNull()
      }),
    )
  })
})
