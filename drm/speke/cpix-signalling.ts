import {
  DRM_SYSTEM_IDS,
  type DrmSystem,
  type DrmSystemName,
  type HlsKeyTag,
} from '../../domain/drm/drm-system.ts'
import type { KeyName } from '../../domain/drm/key-contract.ts'
import { decodeBase64 } from '../base64.ts'
import { HLS_KEY_FORMATS } from '../hls-key-formats.ts'
import type { HlsPlaylist } from '../hls-key-line.ts'
import { playReadyHeaderOf } from '../playready-object.ts'
import { parsePssh, type Pssh } from '../pssh.ts'
import { childrenOf, parseXml, type XmlElement } from '../xml.ts'
import { incomplete, wrongResponse } from './cpix-error.ts'
import { CPIX, hasPssh } from './cpix-names.ts'
import { parseHlsKeyTag } from './hls-key-tag.ts'

/** The key of a `DRMSystem` element. */
export interface SignalledKey {
  system: DrmSystemName
  name: KeyName
  /** 16 bytes each. */
  keyId: Buffer
  iv: Buffer
}

const CENC = 'urn:mpeg:cenc:2013'
const PLAYREADY = 'urn:microsoft:playready'

/**
 * Reads what a `DRMSystem` element says of one key. Every part is parsed and written again from its fields; an
 * unknown part is dropped. Throws a DrmProviderError if a requested part is missing or contradicts another.
 */
export function systemOf(element: XmlElement, key: SignalledKey): DrmSystem {
  const systemId = DRM_SYSTEM_IDS[key.system]
  const whose = `of ${key.system} for ${key.name}`
  const hlsMedia = tagOf(element, key, 'media')
  const hlsMaster = tagOf(element, key, 'master')
  if (
    hlsMedia.keyFormat !== hlsMaster.keyFormat ||
    hlsMedia.keyFormatVersions !== hlsMaster.keyFormatVersions
  )
    throw wrongResponse(`has two different HLS key formats ${whose}`)
  const protection = hasPssh(systemId) ? protectionOf(element, systemId, whose) : {}
  return { systemId, ...protection, hlsMedia, hlsMaster }
}

function tagOf(element: XmlElement, key: SignalledKey, playlist: HlsPlaylist): HlsKeyTag {
  const whose = `of the ${playlist} playlist of ${key.system} for ${key.name}`
  const data = childrenOf(element, CPIX, 'HLSSignalingData').filter(
    ({ attributes }) => attributes.get('playlist') === playlist,
  )
  const text = decodeBase64(data[0]?.text ?? '')?.toString('utf8') ?? ''
  const tag = data.length === 1 ? parseHlsKeyTag(text, playlist) : null
  if (!tag) throw incomplete(`HLSSignalingData ${whose}`)
  if (tag.keyFormat.toLowerCase() !== HLS_KEY_FORMATS[key.system])
    throw wrongResponse(`has another KEYFORMAT in the HLSSignalingData ${whose}`)
  if (tag.keyIdHex !== null && tag.keyIdHex !== key.keyId.toString('hex'))
    throw wrongResponse(`has another KEYID in the HLSSignalingData ${whose}`)
  if (tag.ivHex !== null && tag.ivHex !== key.iv.toString('hex'))
    throw wrongResponse(`has another IV in the HLSSignalingData ${whose}`)
  return tag
}

/**
 * The pssh box and the PlayReady object. The content of the MPD's ContentProtection element must not contradict the
 * box. For PlayReady it may have the object alone or the box alone, because the box contains an object.
 */
function protectionOf(
  element: XmlElement,
  systemId: string,
  whose: string,
): Pick<DrmSystem, 'psshBase64' | 'proBase64'> {
  const pssh = parsePssh(childrenOf(element, CPIX, 'PSSH')[0]?.text ?? '')
  if (pssh?.systemId !== systemId) throw incomplete(`PSSH ${whose}`)
  const data = childrenOf(element, CPIX, 'ContentProtectionData')[0]?.text ?? ''
  const parts = decodeBase64(data)?.toString('utf8') ?? ''
  if (parts.trim() === '') throw incomplete(`ContentProtectionData ${whose}`)
  const content = contentOf(parts, whose)
  const repeated = found(content, CENC, 'pssh').map(({ text }) => decodeBase64(text))
  if (repeated.some((box) => !box?.equals(pssh.box)))
    throw wrongResponse(`has two different pssh boxes ${whose}`)
  const psshBase64 = pssh.box.toString('base64')
  if (systemId === DRM_SYSTEM_IDS.playready)
    return { psshBase64, proBase64: playReadyObjectOf(content, pssh, whose) }
  if (repeated.length === 0) throw incomplete(`pssh in the ContentProtectionData ${whose}`)
  return { psshBase64 }
}

function playReadyObjectOf(content: XmlElement, pssh: Pssh, whose: string): string {
  const [pro, other] = found(content, PLAYREADY, 'pro')
  const object = pro ? decodeBase64(pro.text) : pssh.data
  if (other || !object || playReadyHeaderOf(object) === null)
    throw incomplete(`PlayReady object in the ContentProtectionData ${whose}`)
  return object.toString('base64')
}

/** Parses what may be several elements, with the prefixes that every MPD declares. */
function contentOf(parts: string, whose: string): XmlElement {
  const body = parts.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '')
  try {
    return parseXml(`<c xmlns:cenc="${CENC}" xmlns:mspr="${PLAYREADY}">${body}</c>`)
  } catch {
    throw wrongResponse(`has ContentProtectionData ${whose} that is not XML`)
  }
}

/** The elements of this name at any depth. */
function found(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name && child.namespace === namespace ? [child] : []),
    ...found(child, namespace, name),
  ])
}
