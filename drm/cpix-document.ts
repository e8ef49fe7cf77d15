import { create } from 'xmlbuilder2'
import type { TrackType } from '../domain/rendition.ts'
import type { ContentKey, DrmSystem } from './key-provider.ts'

/** One key that is asked for. */
export interface WantedKey {
  trackType: TrackType
  /** A UUID. */
  keyId: string
}

/** DASH-IF's registered system ids. */
const DRM_SYSTEMS = {
  widevine: 'edef8ba9-79d6-4ace-a3c8-27dcd51d21ed',
  playready: '9a04f079-9840-4286-ab92-e65be0885f95',
  fairplay: '94ce86fb-07ff-4f43-adb8-93d2fa968ca2',
} as const

const CPIX = 'urn:dashif:org:cpix'
const PSKC = 'urn:ietf:params:xml:ns:keyprov:pskc'

/** The CPIX 2.3 document of a SPEKE v2 request: key ids, systems, and which tracks a key is for. */
export function cpixRequest(contentId: string, keys: readonly WantedKey[]): string {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele(CPIX, 'cpix:CPIX', {
    contentId,
    version: '2.3',
  })
  root.att('http://www.w3.org/2000/xmlns/', 'xmlns:pskc', PSKC)
  const list = root.ele('cpix:ContentKeyList')
  for (const { keyId } of keys)
    list.ele('cpix:ContentKey', { kid: keyId, commonEncryptionScheme: 'cbcs' })
  const systems = root.ele('cpix:DRMSystemList')
  for (const { keyId } of keys)
    for (const systemId of Object.values(DRM_SYSTEMS)) {
      const system = systems.ele('cpix:DRMSystem', { kid: keyId, systemId })
      if (systemId !== DRM_SYSTEMS.fairplay) {
        system.ele('cpix:PSSH')
        system.ele('cpix:ContentProtectionData')
      }
      system.ele('cpix:HLSSignalingData', { playlist: 'media' })
    }
  const rules = root.ele('cpix:ContentKeyUsageRuleList')
  for (const { keyId, trackType } of keys) {
    const rule = rules.ele('cpix:ContentKeyUsageRule', {
      kid: keyId,
      intendedTrackType: trackType,
    })
    rule.ele(trackType === 'AUDIO' ? 'cpix:AudioFilter' : 'cpix:VideoFilter')
  }
  return root.end()
}

/**
 * Reads the answer: every wanted key with 16 clear bytes, its systems' signalling decoded. Document
 * types are refused, so no entity is ever expanded. Throws an Error that holds no key material.
 */
export function parseCpixAnswer(xml: string, wanted: readonly WantedKey[]): ContentKey[] {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new Error('the CPIX document has a document type')
  const elements = elementsOf(xml)
  return wanted.map(({ trackType, keyId }) => {
    const key = elements.find((e) => e.name === 'ContentKey' && isKid(e, keyId))
    const plain = key && elements.find((e) => e.name === 'PlainValue' && e.parents.includes(key))
    const bytes = Buffer.from(plain?.text.trim() ?? '', 'base64')
    if (bytes.length !== 16) throw new Error(`the CPIX document has no key for ${trackType}`)
    const iv = key?.attributes.explicitIV
    return {
      trackType,
      keyId: Buffer.from(keyId.replaceAll('-', ''), 'hex'),
      key: bytes,
      ...(iv === undefined ? {} : { ivHex: Buffer.from(iv, 'base64').toString('hex') }),
      systems: elements
        .filter((e) => e.name === 'DRMSystem' && isKid(e, keyId))
        .map((e) => systemOf(e, elements)),
    }
  })
}

interface Element {
  name: string
  attributes: Record<string, string>
  text: string
  parents: Element[]
}

const isKid = ({ attributes }: Element, keyId: string): boolean =>
  attributes.kid?.toLowerCase() === keyId.toLowerCase()

function systemOf(element: Element, all: Element[]): DrmSystem {
  const child = (name: string): string | undefined =>
    all.find((e) => e.name === name && e.parents.includes(element))?.text.trim() || undefined
  const protection = child('ContentProtectionData')
  const hls = decoded(child('HLSSignalingData'))
  const pssh = child('PSSH')
  const uri = /URI="([^"]+)"/.exec(hls)?.[1]
  const format = /KEYFORMAT="([^"]+)"/.exec(hls)?.[1]
  return {
    systemId: element.attributes.systemId?.toLowerCase() ?? '',
    ...(pssh === undefined ? {} : { psshBase64: pssh }),
    ...(protection === undefined ? {} : { contentProtectionXml: decoded(protection) }),
    ...(uri === undefined ? {} : { hlsKeyUri: uri }),
    ...(format === undefined ? {} : { hlsKeyFormat: format }),
  }
}

const decoded = (base64: string | undefined): string =>
  Buffer.from(base64 ?? '', 'base64').toString('utf8')

/** Every element of the document, prefixes cut off, outer ones first. */
function elementsOf(xml: string): Element[] {
  const found: Element[] = []
  const walk = (node: unknown, parents: Element[]): void => {
    if (Array.isArray(node)) return node.forEach((one) => walk(one, parents))
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith('@') || key === '#') continue
      for (const one of Array.isArray(value) ? value : [value]) {
        const element = elementOf(key, one, parents)
        found.push(element)
        walk(one, [...parents, element])
      }
    }
  }
  walk(parsed(xml), [])
  return found
}

/** A parser's own error quotes the text that it stopped at, which may be a key: it is not passed on. */
function parsed(xml: string): unknown {
  try {
    return create(xml).end({ format: 'object' })
  } catch {
    throw new Error('the CPIX document is not well-formed XML')
  }
}

function elementOf(key: string, value: unknown, parents: Element[]): Element {
  const isNode = typeof value === 'object' && value !== null
  const entries = isNode ? Object.entries(value) : []
  const attributes = entries.flatMap(([name, text]) =>
    name.startsWith('@') ? [[name.slice(1), String(text)] as const] : [],
  )
  const text = isNode ? entries.find(([name]) => name === '#')?.[1] : value
  return {
    name: key.slice(key.indexOf(':') + 1),
    attributes: Object.fromEntries(attributes),
    text: typeof text === 'string' ? text : '',
    parents,
  }
}
