import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DRM_SYSTEM_IDS, type DrmSystem } from '../domain/drm/drm-system.ts'
import type { EncryptionBoxes } from '../domain/drm/encryption-boxes.ts'
import { playReadyKeys, widevineKeys } from './named-keys.ts'
import { ownSignalling } from './own-signalling.ts'
import { writePssh } from './pssh.ts'
import { initSegmentFault, keysSignallingFault, signallingFault } from './signalling-fault.ts'
import { widevineData } from './widevine-data.ts'

const bytes16 = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes))
const [KEY_ID, OTHER_ID, IV] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2), Buffer.alloc(16, 3)]

const keyOf = (systems: DrmSystem[], keyId = KEY_ID, iv = IV) => ({
  keyIdHex: keyId.toString('hex'),
  ivHex: iv.toString('hex'),
  systems,
})

/** The signalling of the key, in which `change` has replaced fields of the system at `index`. */
const changed = (index: number, change: (mixed: DrmSystem) => Partial<DrmSystem>) => {
  const mixed = ownSignalling(OTHER_ID, IV)[index]
  if (!mixed) throw new Error('there is no such system')
  return keyOf(
    ownSignalling(KEY_ID, IV).map((one, at) => (at === index ? { ...one, ...change(mixed) } : one)),
  )
}

describe('the signalling of a key', () => {
  it('agrees with the key that it was written for, and with no other', () => {
    fc.assert(
      fc.property(bytes16, bytes16, bytes16, (keyId, otherId, iv) => {
        const systems = ownSignalling(keyId, iv)
        expect(signallingFault(keyOf(systems, keyId, iv))).toBeNull()
        if (!keyId.equals(otherId))
          expect(signallingFault(keyOf(systems, otherId, iv))).toMatch(/names another key$/)
      }),
    )
  })

  it.each<[string, Parameters<typeof changed>, string]>([
    [
      'the pssh box of Widevine',
      [0, ({ psshBase64 = '' }) => ({ psshBase64 })],
      'the pssh box of widevine names another key',
    ],
    [
      'the pssh box of PlayReady',
      [1, ({ psshBase64 = '' }) => ({ psshBase64 })],
      'the pssh box of playready names another key',
    ],
    [
      'the PlayReady object',
      [1, ({ proBase64 = '' }) => ({ proBase64 })],
      'the PlayReady object names another key',
    ],
    [
      'the media tag of PlayReady',
      [1, ({ hlsMedia }) => ({ ...(hlsMedia && { hlsMedia }) })],
      'the HLS tag of playready differs between the master and the media playlist',
    ],
    [
      'both tags of Widevine',
      [
        0,
        ({ hlsMedia, hlsMaster }) => ({
          ...(hlsMedia && { hlsMedia }),
          ...(hlsMaster && { hlsMaster }),
        }),
      ],
      'the HLS tag of widevine names another key',
    ],
    [
      'both tags of PlayReady',
      [
        1,
        ({ hlsMedia, hlsMaster }) => ({
          ...(hlsMedia && { hlsMedia }),
          ...(hlsMaster && { hlsMaster }),
        }),
      ],
      'the address in the HLS tag of playready names another key',
    ],
  ])('is refused when %s belongs to another key', (_what, change, fault) => {
    expect(signallingFault(changed(...change))).toBe(fault)
  })

  it('is refused when its systems are swapped, missing or repeated', () => {
    const systems = ownSignalling(KEY_ID, IV)
    const ids = systems.map(({ systemId }) => systemId)
    const swapped = systems.map((one, at) => ({ ...one, systemId: ids[(at + 1) % 3] ?? '' }))
    expect(signallingFault(keyOf(swapped))).not.toBeNull()
    for (const [at] of systems.entries())
      expect(signallingFault(keyOf(systems.toSpliced(at, 1)))).toMatch(/^there is not exactly one/)
    expect(signallingFault(keyOf([...systems, ...systems.slice(0, 1)]))).toMatch(/^there is not/)
  })

  it('is refused when a box names no key, or the scheme of ClearKey videos', () => {
    const box = (data: Buffer) => writePssh(DRM_SYSTEM_IDS.widevine, data).toString('base64')
    expect(signallingFault(changed(0, () => ({ psshBase64: box(Buffer.alloc(0)) })))).toBe(
      'the pssh box of widevine names no key',
    )
    const cenc = Buffer.concat([widevineData(KEY_ID).subarray(0, 18), Buffer.from([0x48, 0])])
    expect(signallingFault(changed(0, () => ({ psshBase64: box(cenc) })))).toBe(
      'the pssh box of widevine names another scheme',
    )
  })

  it('is refused without a stored IV, which the packager would replace by another', () => {
    const key = keyOf(ownSignalling(KEY_ID, IV))
    expect(signallingFault({ ...key, ivHex: null })).toBe('there is no IV')
  })

  it('is refused when another key of the video has the same address for FairPlay', () => {
    const [one, other] = [keyOf(ownSignalling(KEY_ID, IV)), keyOf(ownSignalling(OTHER_ID, IV))]
    expect(keysSignallingFault([one, other])).toBeNull()
    expect(keysSignallingFault([one, other, one])).toBe(
      'two keys have the same address in the HLS tag of fairplay',
    )
  })

  it('accepts a Widevine box that lists the keys of the whole video', () => {
    const data = Buffer.concat([widevineData(OTHER_ID), widevineData(KEY_ID)])
    const psshBase64 = writePssh(DRM_SYSTEM_IDS.widevine, data).toString('base64')
    expect(widevineKeys(psshBase64)?.keyIdsHex).toEqual(
      [OTHER_ID, KEY_ID].map((one) => one.toString('hex')),
    )
    expect(signallingFault(changed(0, () => ({ psshBase64 })))).toBeNull()
  })
})

describe('the key ids of a PlayReady header', () => {
  const guid = Buffer.from('03020100050407060809' + '0a0b0c0d0e0f', 'hex').toString('base64')
  const objectOf = (header: string): Buffer => {
    const text = Buffer.from(header, 'utf16le')
    const head = Buffer.alloc(10)
    head.writeUInt32LE(10 + text.length, 0)
    head.writeUInt16LE(1, 4)
    head.writeUInt16LE(1, 6)
    head.writeUInt16LE(text.length, 8)
    return Buffer.concat([head, text])
  }
  const wrm = (data: string): Buffer =>
    objectOf(
      `<WRMHEADER xmlns="http://schemas.microsoft.com/DRM/2007/03/PlayReadyHeader"><DATA>${data}</DATA></WRMHEADER>`,
    )

  it.each([
    [
      '4.0',
      `<PROTECTINFO><KEYLEN>16</KEYLEN><ALGID>AESCTR</ALGID></PROTECTINFO><KID>${guid}</KID>`,
      'cenc',
    ],
    ['4.1', `<PROTECTINFO><KID ALGID="AESCTR" VALUE="${guid}"></KID></PROTECTINFO>`, 'cenc'],
    [
      '4.3',
      `<PROTECTINFO><KIDS><KID ALGID="AESCBC" VALUE="${guid}"></KID></KIDS></PROTECTINFO>`,
      'cbcs',
    ],
    [
      '4.3 without an algorithm',
      `<PROTECTINFO><KIDS><KID VALUE="${guid}"></KID></KIDS></PROTECTINFO>`,
      null,
    ],
  ])('are read in version %s', (_version, data, scheme) => {
    expect(playReadyKeys(wrm(data))).toEqual({
      keyIdsHex: ['000102030405060708090a0b0c0d0e0f'],
      scheme,
    })
  })

  it('are not read from a document with a document type, or with a key id of another length', () => {
    expect(playReadyKeys(objectOf('<WRMHEADER><!DOCTYPE x></WRMHEADER>'))).toBeNull()
    expect(playReadyKeys(wrm('<KID>AAAA</KID>'))).toBeNull()
  })
})

describe('an init segment', () => {
  const key = keyOf(ownSignalling(KEY_ID, IV))
  const BOXES: EncryptionBoxes = {
    scheme: 'cbcs',
    keyIdHex: key.keyIdHex,
    isProtected: true,
    encryptedBlocks: 1,
    clearBlocks: 9,
    perSampleIvBytes: 0,
    constantIvHex: key.ivHex,
    psshBase64: key.systems.flatMap(({ psshBase64 }) => psshBase64 ?? []),
  }

  it('agrees with its key', () => {
    expect(initSegmentFault(key, 'video', BOXES)).toBeNull()
    expect(
      initSegmentFault(key, 'audio', { ...BOXES, encryptedBlocks: 0, clearBlocks: 0 }),
    ).toBeNull()
  })

  it.each<[string, Partial<EncryptionBoxes>]>([
    ['announces no encryption', { isProtected: false }],
    ['names another scheme', { scheme: 'cenc' }],
    ['names another key', { keyIdHex: OTHER_ID.toString('hex') }],
    ['has another pattern', { clearBlocks: 0 }],
    ['has no constant IV', { perSampleIvBytes: 8, constantIvHex: null }],
    ['has another IV', { constantIvHex: '04'.repeat(16) }],
    ['has other pssh boxes', { psshBase64: [] }],
  ])('is refused when it %s', (fault, change) => {
    expect(initSegmentFault(key, 'video', { ...BOXES, ...change })).toBe(
      `the init segment ${fault}`,
    )
  })
})
