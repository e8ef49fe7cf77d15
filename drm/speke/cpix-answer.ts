import { DRM_SYSTEM_IDS } from '../../domain/drm-system.ts'
import type { DrmSystem } from '../../domain/drm-system.ts'
import type { ContentKey, WantedKey } from '../key-provider.ts'
import { uuidOf } from '../uuid.ts'
import { xmlElements } from '../xml-elements.ts'
import type { XmlElement } from '../xml-elements.ts'
import { KEY_SCHEME, hasPssh } from './cpix-document.ts'
import { parseHlsKeyTag } from './hls-key-tag.ts'

/**
 * Reads the answer to `cpixRequest`: each requested key as 16 unencrypted bytes in the requested scheme, and
 * the decoded signalling of each requested system. Throws if any of it is missing (AWS, "SPEKE API v2": an
 * encryptor stops if a requested element is empty). Errors contain no key material.
 */
export function parseCpixAnswer(xml: string, wanted: readonly WantedKey[]): ContentKey[] {
  const elements = xmlElements(xml)
  return wanted.map((key) => contentKeyOf(elements, key))
}

function contentKeyOf(elements: XmlElement[], { name, trackTypes, keyId }: WantedKey): ContentKey {
  const kid = uuidOf(keyId)
  const isOfKey = ({ attributes }: XmlElement): boolean => attributes.kid?.toLowerCase() === kid
  const element = elements.find((one) => one.name === 'ContentKey' && isOfKey(one))
  const key = bytesOf(element && childrenOf(elements, element, 'PlainValue')[0]?.text)
  if (!element || key.length !== 16) throw incomplete(`key for ${name}`)
  const { commonEncryptionScheme: scheme, explicitIV: iv } = element.attributes
  if (scheme !== KEY_SCHEME) throw incomplete(`key for ${name} in ${KEY_SCHEME}`)
  if (iv !== undefined && bytesOf(iv).length !== 16)
    throw incomplete(`explicitIV of 16 bytes for ${name}`)
  const systems = elements.filter((one) => one.name === 'DRMSystem' && isOfKey(one))
  return {
    name,
    trackTypes,
    keyId,
    key,
    ivHex: iv === undefined ? null : bytesOf(iv).toString('hex'),
    systems: Object.entries(DRM_SYSTEM_IDS).map(([systemName, systemId]) => {
      const system = systems.find(
        ({ attributes }) => attributes.systemId?.toLowerCase() === systemId,
      )
      if (!system) throw incomplete(`DRMSystem of ${systemName} for ${name}`)
      return systemOf(elements, system, systemId, `of ${systemName} for ${name}`)
    }),
  }
}

function systemOf(
  elements: XmlElement[],
  system: XmlElement,
  systemId: string,
  whose: string,
): DrmSystem {
  return {
    systemId,
    ...(hasPssh(systemId) ? protectionOf(elements, system, systemId, whose) : {}),
    ...hlsOf(elements, system, whose),
  }
}

/** The pssh box, and the content of the MPD's ContentProtection element; both must contain the same box. */
function protectionOf(
  elements: XmlElement[],
  system: XmlElement,
  systemId: string,
  whose: string,
): Pick<DrmSystem, 'psshBase64' | 'proBase64'> {
  const psshBase64 = childrenOf(elements, system, 'PSSH')[0]?.text.trim() ?? ''
  if (!isPsshOf(systemId, psshBase64)) throw incomplete(`PSSH ${whose}`)
  const data = childrenOf(elements, system, 'ContentProtectionData')[0]
  const xml = bytesOf(data?.text).toString('utf8')
  if (xml.trim() === '') throw incomplete(`ContentProtectionData ${whose}`)
  const [, inside] = /<(?:\w+:)?pssh\b[^>]*>\s*([^<\s]*)\s*</.exec(xml) ?? []
  if (inside !== undefined && inside !== psshBase64)
    throw new Error(`the CPIX document has two different pssh boxes ${whose}`)
  const [, proBase64] = /<(?:\w+:)?pro\b[^>]*>\s*([^<\s]*)\s*</.exec(xml) ?? []
  return { psshBase64, ...(proBase64 ? { proBase64 } : {}) }
}

/**
 * Returns whether the text is exactly one protection system specific header box in base64, of the system
 * with this UUID (ISO/IEC 23001-7, section 8.1).
 */
function isPsshOf(systemId: string, base64: string): boolean {
  const box = Buffer.from(base64, 'base64')
  return (
    box.length >= 32 &&
    box.readUInt32BE(0) === box.length &&
    box.toString('latin1', 4, 8) === 'pssh' &&
    box.toString('hex', 12, 28) === systemId.replaceAll('-', '')
  )
}

/** The key tag of the media playlist, and that of the master playlist if there is one. */
function hlsOf(
  elements: XmlElement[],
  system: XmlElement,
  whose: string,
): Pick<DrmSystem, 'hlsMedia' | 'hlsMaster'> {
  const data = childrenOf(elements, system, 'HLSSignalingData')
  const [hlsMedia, hlsMaster] = (['media', 'master'] as const).map((playlist) => {
    const element = data.find(({ attributes }) => attributes.playlist === playlist)
    return element && parseHlsKeyTag(bytesOf(element.text).toString('utf8'), playlist)
  })
  if (!hlsMedia) throw incomplete(`HLSSignalingData of the media playlist ${whose}`)
  return { hlsMedia, ...(hlsMaster ? { hlsMaster } : {}) }
}

const childrenOf = (elements: XmlElement[], parent: XmlElement, name: string): XmlElement[] =>
  elements.filter((one) => one.name === name && one.parents.includes(parent))

const bytesOf = (base64: string | undefined): Buffer => Buffer.from(base64?.trim() ?? '', 'base64')

const incomplete = (what: string): Error => new Error(`the CPIX document has no ${what}`)
