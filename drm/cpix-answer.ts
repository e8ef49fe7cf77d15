import type { DrmSystem } from '../domain/drm-system.ts'
import { DRM_SYSTEMS, KEY_SCHEME, hasPssh } from './cpix-document.ts'
import type { WantedKey } from './cpix-document.ts'
import type { ContentKey } from './key-provider.ts'
import { xmlElements } from './xml-elements.ts'
import type { XmlElement } from './xml-elements.ts'

/**
 * Reads the answer to `cpixRequest`: each requested key as 16 unencrypted bytes in the requested scheme, and
 * the decoded signalling of each requested system. Throws if any of it is missing (AWS, "SPEKE API v2": an
 * encryptor stops if a requested element is empty). Errors contain no key material.
 */
export function parseCpixAnswer(xml: string, wanted: readonly WantedKey[]): ContentKey[] {
  const elements = xmlElements(xml)
  return wanted.map((key) => contentKeyOf(elements, key))
}

function contentKeyOf(elements: XmlElement[], { trackType, keyId }: WantedKey): ContentKey {
  const isOfKey = ({ attributes }: XmlElement): boolean => attributes.kid?.toLowerCase() === keyId
  const element = elements.find((one) => one.name === 'ContentKey' && isOfKey(one))
  const key = bytesOf(element && childrenOf(elements, element, 'PlainValue')[0]?.text)
  if (!element || key.length !== 16) throw incomplete(`key for ${trackType}`)
  const { commonEncryptionScheme: scheme, explicitIV: iv } = element.attributes
  if (scheme !== KEY_SCHEME) throw incomplete(`key for ${trackType} in ${KEY_SCHEME}`)
  if (iv !== undefined && bytesOf(iv).length !== 16)
    throw incomplete(`explicitIV of 16 bytes for ${trackType}`)
  const systems = elements.filter((one) => one.name === 'DRMSystem' && isOfKey(one))
  return {
    trackType,
    keyId: Buffer.from(keyId.replaceAll('-', ''), 'hex'),
    key,
    ivHex: iv === undefined ? null : bytesOf(iv).toString('hex'),
    systems: Object.entries(DRM_SYSTEMS).map(([name, systemId]) => {
      const system = systems.find(
        ({ attributes }) => attributes.systemId?.toLowerCase() === systemId,
      )
      if (!system) throw incomplete(`DRMSystem of ${name} for ${trackType}`)
      return systemOf(elements, system, systemId, `of ${name} for ${trackType}`)
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
): Pick<DrmSystem, 'psshBase64' | 'contentProtectionXml'> {
  const psshBase64 = childrenOf(elements, system, 'PSSH')[0]?.text.trim() ?? ''
  if (!isPsshOf(systemId, psshBase64)) throw incomplete(`PSSH ${whose}`)
  const data = childrenOf(elements, system, 'ContentProtectionData')[0]
  const contentProtectionXml = bytesOf(data?.text).toString('utf8')
  if (contentProtectionXml.trim() === '') throw incomplete(`ContentProtectionData ${whose}`)
  const [, inside] = /<(?:\w+:)?pssh\b[^>]*>\s*([^<\s]*)\s*</.exec(contentProtectionXml) ?? []
  if (inside !== undefined && inside !== psshBase64)
    throw new Error(`the CPIX document has two different pssh boxes ${whose}`)
  return { psshBase64, contentProtectionXml }
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

/** The EXT-X-KEY attributes of the media playlist. */
function hlsOf(
  elements: XmlElement[],
  system: XmlElement,
  whose: string,
): Pick<DrmSystem, 'hlsKeyUri' | 'hlsKeyFormat'> {
  const data = childrenOf(elements, system, 'HLSSignalingData').find(
    ({ attributes }) => attributes.playlist === 'media',
  )
  const tag = bytesOf(data?.text).toString('utf8')
  const hlsKeyUri = /\bURI="([^"\r\n]+)"/.exec(tag)?.[1]
  const hlsKeyFormat = /\bKEYFORMAT="([^"\r\n]+)"/.exec(tag)?.[1]
  if (hlsKeyUri === undefined || hlsKeyFormat === undefined)
    throw incomplete(`HLSSignalingData of the media playlist ${whose}`)
  return { hlsKeyUri, hlsKeyFormat }
}

const childrenOf = (elements: XmlElement[], parent: XmlElement, name: string): XmlElement[] =>
  elements.filter((one) => one.name === name && one.parents.includes(parent))

const bytesOf = (base64: string | undefined): Buffer => Buffer.from(base64?.trim() ?? '', 'base64')

const incomplete = (what: string): Error => new Error(`the CPIX document has no ${what}`)
