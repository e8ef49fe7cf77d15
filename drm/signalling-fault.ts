import { isDeepStrictEqual } from 'node:util'
import { encryptionScheme } from '../domain/accounts/plan.ts'
import {
  DRM_SYSTEM_IDS,
  DRM_SYSTEM_NAMES,
  type DrmSystem,
  type DrmSystemName,
  type HlsKeyTag,
} from '../domain/drm/drm-system.ts'
import type { EncryptionBoxes } from '../domain/drm/encryption-boxes.ts'
import { decodeBase64 } from './base64.ts'
import { HLS_KEY_FORMATS } from './hls-key-formats.ts'
import type { ContentKey } from './key-provider.ts'
import { playReadyKeys, widevineKeys, type NamedKeys } from './named-keys.ts'
import { parsePssh } from './pssh.ts'

/** A key of a Multi-DRM video as it is stored. */
export interface SignalledKey {
  /** 32 characters of lowercase hex each. Without a stored IV, the packager would choose one. */
  keyIdHex: string
  ivHex: string | null
  systems: readonly DrmSystem[]
}

/** Returns a stored key as it is compared here. */
export const signalledKey = ({
  keyId,
  ivHex,
  systems,
}: Pick<ContentKey, 'keyId' | 'ivHex' | 'systems'>): SignalledKey => ({
  keyIdHex: keyId.toString('hex'),
  ivHex,
  systems,
})

const SCHEME = encryptionScheme('multi-drm')

/**
 * Compares everything that manifests will say of a key with the key itself: the pssh boxes, the PlayReady object
 * and the HLS tags must name its id, its IV and the scheme. Returns the first contradiction as a phrase, such as
 * `the PlayReady object names another key`; null if all agree.
 */
export function signallingFault(key: SignalledKey): string | null {
  if (key.ivHex === null) return 'there is no IV'
  for (const name of DRM_SYSTEM_NAMES) {
    const [system, other] = key.systems.filter(({ systemId }) => systemId === DRM_SYSTEM_IDS[name])
    if (!system || other) return `there is not exactly one entry for ${name}`
    const fault = boxFault(name, system, key) ?? tagFault(name, system, key)
    if (fault !== null) return fault
  }
  return key.systems.length > DRM_SYSTEM_NAMES.length ? 'there is an unknown DRM system' : null
}

function boxFault(name: DrmSystemName, system: DrmSystem, key: SignalledKey): string | null {
  // FairPlay has neither box nor object.
  if (name === 'fairplay') return null
  const box = system.psshBase64 ?? ''
  if (parsePssh(box)?.systemId !== system.systemId)
    return `the pssh box of ${name} is that of another system`
  const fault = namedFault(`the pssh box of ${name}`, namedKeys(name, decodeBase64(box)), key)
  if (fault !== null || name === 'widevine') return fault
  const object = decodeBase64(system.proBase64 ?? '')
  return namedFault('the PlayReady object', object && playReadyKeys(object), key)
}

/** Reads the keys of a whole pssh box. */
function namedKeys(name: 'widevine' | 'playready', box: Buffer | null): NamedKeys | null {
  const base64 = box?.toString('base64') ?? ''
  if (name === 'widevine') return widevineKeys(base64)
  const pssh = parsePssh(base64)
  return pssh && playReadyKeys(pssh.data)
}

function namedFault(what: string, named: NamedKeys | null, key: SignalledKey): string | null {
  if (!named) return `${what} cannot be read`
  if (named.keyIdsHex.length === 0) return `${what} names no key`
  if (!named.keyIdsHex.includes(key.keyIdHex)) return `${what} names another key`
  return named.scheme === null || named.scheme === SCHEME ? null : `${what} names another scheme`
}

/** Both playlists have the same attributes (AWS, "SPEKE API v2 - Customizations and constraints"). */
function tagFault(name: DrmSystemName, system: DrmSystem, key: SignalledKey): string | null {
  const { hlsMedia: tag, hlsMaster } = system
  const what = `the HLS tag of ${name}`
  if (!tag || !hlsMaster) return `${what} is missing`
  if (!isDeepStrictEqual(tag, hlsMaster))
    return `${what} differs between the master and the media playlist`
  if (tag.keyFormat.toLowerCase() !== HLS_KEY_FORMATS[name])
    return `${what} is that of another system`
  if (tag.keyIdHex !== null && tag.keyIdHex !== key.keyIdHex) return `${what} names another key`
  if (tag.ivHex !== null && tag.ivHex !== key.ivHex) return `${what} names another IV`
  return addressFault(name, tag, key)
}

function addressFault(name: DrmSystemName, { uri }: HlsKeyTag, key: SignalledKey): string | null {
  const what = `the address in the HLS tag of ${name}`
  // Each provider has its own form of the rest.
  if (name === 'fairplay')
    return uri.startsWith('skd://') ? null : `${what} does not begin with skd`
  const data = decodeBase64(/^data:[^,]*;base64,(.+)$/.exec(uri)?.[1] ?? '')
  const named = name === 'widevine' ? namedKeys(name, data) : data && playReadyKeys(data)
  return namedFault(what, named, key)
}

/**
 * Returns what the keys of one video say against each other, as above. AVFoundation tells keys apart by their
 * addresses (`AVContentKeyRequest.identifier`), so it would ask only once for two keys with the same one.
 */
export function keysSignallingFault(keys: readonly SignalledKey[]): string | null {
  const addresses = keys.flatMap(({ systems }) =>
    systems
      .filter(({ systemId }) => systemId === DRM_SYSTEM_IDS.fairplay)
      .flatMap(({ hlsMedia }) => hlsMedia?.uri ?? []),
  )
  return new Set(addresses).size < addresses.length
    ? 'two keys have the same address in the HLS tag of fairplay'
    : null
}

/** Shaka Packager and Apple encrypt 1 block of 10 in pictures, and all of audio (ISO/IEC 23001-7, section 10.4). */
const PATTERNS: Readonly<Record<'video' | 'audio', readonly string[]>> = {
  video: ['1:9'],
  audio: ['0:0', '1:0'],
}

/**
 * Compares the init segment of a rendition with its key: `schm`, `tenc` and the pssh boxes. Returns the first
 * contradiction as a phrase; null if all agree. `boxes` is null if the init segment could not be read.
 */
export function initSegmentFault(
  { keyIdHex, ivHex, systems }: SignalledKey,
  kind: 'video' | 'audio',
  boxes: EncryptionBoxes | null,
): string | null {
  if (!boxes?.isProtected) return 'the init segment announces no encryption'
  if (boxes.scheme !== SCHEME) return `the init segment names another scheme`
  if (boxes.keyIdHex !== keyIdHex) return 'the init segment names another key'
  if (!PATTERNS[kind].includes(`${boxes.encryptedBlocks}:${boxes.clearBlocks}`))
    return 'the init segment has another pattern'
  if (boxes.constantIvHex?.length !== 32) return 'the init segment has no constant IV'
  if (boxes.constantIvHex !== ivHex) return 'the init segment has another IV'
  const stored = systems.flatMap(({ psshBase64 }) => psshBase64 ?? [])
  return isDeepStrictEqual(boxes.psshBase64.toSorted(), stored.toSorted())
    ? null
    : 'the init segment has other pssh boxes'
}
