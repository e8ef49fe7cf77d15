import { DRM_SYSTEM_IDS, type DrmSystemName } from '../../domain/drm/drm-system.ts'
import { decodeBase64 } from '../base64.ts'
import type { ContentKey, WantedKey } from '../key-provider.ts'
import { elementsAt, parseXml, type XmlElement } from '../xml.ts'
import { incomplete, wrongResponse } from './cpix-error.ts'
import { CPIX, CPIX_VERSION, KEY_SCHEME } from './cpix-names.ts'
import { systemOf } from './cpix-signalling.ts'
import {
  openSecret,
  openTransport,
  type KeyTransport,
  type SpekeIdentity,
} from './encrypted-keys.ts'

/** What the response is compared with. */
export interface AskedFor {
  contentId: string
  keys: readonly WantedKey[]
  /** If it is given, the content keys must come encrypted for it. */
  identity?: SpekeIdentity | undefined
}

/** The parts of a response, of which each key has its own. */
interface ParsedResponse {
  keys: XmlElement[]
  systems: XmlElement[]
  rules: XmlElement[]
  transport: KeyTransport | null
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Reads the response to `cpixRequest`: every key with 16 bytes, its IV, and all signalling that was asked for. The
 * provider may replace the proposed key ids and IVs; a key is found by the track type of its usage rule. Throws a
 * DrmProviderError without key material if anything is missing, empty or contradictory (AWS, "SPEKE API v2").
 */
export function parseCpixResponse(xml: string, asked: AskedFor): ContentKey[] {
  const root = parseRoot(xml)
  if (root.attributes.get('version') !== CPIX_VERSION) throw incomplete(`version ${CPIX_VERSION}`)
  if (root.attributes.get('contentId') !== asked.contentId)
    throw incomplete('contentId of the video')
  const response: ParsedResponse = {
    keys: elementsAt(root, CPIX, 'ContentKeyList', 'ContentKey'),
    systems: elementsAt(root, CPIX, 'DRMSystemList', 'DRMSystem'),
    rules: elementsAt(root, CPIX, 'ContentKeyUsageRuleList', 'ContentKeyUsageRule'),
    transport: asked.identity ? openTransport(root, asked.identity) : null,
  }
  const keys = asked.keys.map((key) => contentKeyOf(response, key))
  const ids = new Set(keys.map(({ keyId }) => keyId.toString('hex')))
  if (ids.size !== keys.length) throw wrongResponse('has one key id for several keys')
  // A licence for SD would otherwise open HD.
  const values = new Set(keys.map(({ key }) => key.toString('hex')))
  if (values.size !== keys.length) throw wrongResponse('has one key for several key ids')
  const open = keys.find(({ key }) => ids.has(key.toString('hex')) || new Set(key).size === 1)
  if (open) throw wrongResponse(`has a key for ${open.name} that is no secret`)
  return keys
}

function parseRoot(xml: string): XmlElement {
  let root: XmlElement
  try {
    root = parseXml(xml)
  } catch (error) {
    throw wrongResponse(`cannot be read: ${error instanceof Error ? error.message : 'unknown'}`)
  }
  if (root.name !== 'CPIX' || root.namespace !== CPIX) throw wrongResponse('is not a CPIX document')
  return root
}

function contentKeyOf(response: ParsedResponse, { name, trackTypes }: WantedKey): ContentKey {
  const rule = only(response.rules, (one) => one.get('intendedTrackType') === name)
  const kid = rule?.attributes.get('kid')?.toLowerCase() ?? ''
  if (!UUID.test(kid)) throw incomplete(`usage rule with a key id for ${name}`)
  const ofKey = (one: XmlElement['attributes']): boolean => one.get('kid')?.toLowerCase() === kid
  const element = only(response.keys, ofKey)
  if (!element) throw incomplete(`key for ${name}`)
  if (element.attributes.get('commonEncryptionScheme') !== KEY_SCHEME)
    throw incomplete(`key for ${name} in ${KEY_SCHEME}`)
  const iv = decodeBase64(element.attributes.get('explicitIV') ?? '')
  if (iv?.length !== 16) throw incomplete(`explicitIV of 16 bytes for ${name}`)
  const key = openSecret(element, response.transport, name)
  const keyId = Buffer.from(kid.replaceAll('-', ''), 'hex')
  const systems = response.systems.filter(({ attributes }) => ofKey(attributes))
  return {
    name,
    trackTypes,
    keyId,
    key,
    ivHex: iv.toString('hex'),
    systems: SYSTEM_NAMES.map((system) => {
      const id = DRM_SYSTEM_IDS[system]
      const found = only(systems, (one) => one.get('systemId')?.toLowerCase() === id)
      if (!found) throw incomplete(`DRMSystem of ${system} for ${name}`)
      return systemOf(found, { system, name, keyId, iv })
    }),
  }
}

const SYSTEM_NAMES = ['widevine', 'playready', 'fairplay'] as const satisfies DrmSystemName[]

/** The one element whose attributes match; undefined if there is none or more than one. */
function only(
  elements: XmlElement[],
  matches: (attributes: XmlElement['attributes']) => boolean,
): XmlElement | undefined {
  const [first, second] = elements.filter(({ attributes }) => matches(attributes))
  return second ? undefined : first
}
