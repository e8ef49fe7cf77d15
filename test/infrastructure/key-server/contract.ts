import { X509Certificate } from 'node:crypto'
import { DRM_SYSTEM_IDS } from '../../../domain/drm/drm-system.ts'
import { decodeBase64 } from '../../../drm/base64.ts'
import { CPIX, XMLDSIG } from '../../../drm/speke/cpix-names.ts'
import { childrenOf, elementsAt, type XmlElement } from '../../../drm/xml.ts'

/** What a key server refuses, with the sentence that SPEKE 2.0 publishes for it. */
export class ContractError extends Error {
  override name = 'ContractError'
}

const refuseIf = (condition: boolean, sentence: string): void => {
  if (condition) throw new ContractError(sentence)
}

const MALFORMED = 'Malformed encryption contract'
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const SCHEMES = ['cenc', 'cbc1', 'cens', 'cbcs']

/** The elements that may be in each element, in this order (CPIX 2.3, section 4). */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  CPIX: [
    'DeliveryDataList',
    'ContentKeyList',
    'DRMSystemList',
    'ContentKeyPeriodList',
    'ContentKeyUsageRuleList',
  ],
  DeliveryDataList: ['DeliveryData'],
  DeliveryData: ['DeliveryKey'],
  DeliveryKey: ['X509Data'],
  X509Data: ['X509Certificate'],
  ContentKeyList: ['ContentKey'],
  DRMSystemList: ['DRMSystem'],
  DRMSystem: [
    'PSSH',
    'ContentProtectionData',
    'HLSSignalingData',
    'SmoothStreamingProtectionHeaderData',
  ],
  ContentKeyPeriodList: ['ContentKeyPeriod'],
  ContentKeyUsageRuleList: ['ContentKeyUsageRule'],
  ContentKeyUsageRule: ['KeyPeriodFilter', 'VideoFilter', 'AudioFilter'],
}

/** Checks a request by the rules of CPIX 2.3 and SPEKE 2.0. Throws a ContractError with the published sentence. */
export function checkContract(root: XmlElement): void {
  refuseIf(root.name !== 'CPIX' || root.namespace !== CPIX, MALFORMED)
  refuseIf(!root.attributes.get('contentId'), 'Missing CPIX@contentId')
  refuseIf(!root.attributes.get('version'), 'Missing CPIX@version')
  refuseIf(root.attributes.get('version') !== '2.3', 'Unsupported CPIX@version')
  checkOrder(root)
  const keys = elementsAt(root, CPIX, 'ContentKeyList', 'ContentKey')
  const systems = elementsAt(root, CPIX, 'DRMSystemList', 'DRMSystem')
  const rules = elementsAt(root, CPIX, 'ContentKeyUsageRuleList', 'ContentKeyUsageRule')
  refuseIf(rules.length === 0, 'Missing CPIX encryption contract')
  checkKeys(keys, systems)
  checkSystems(keys, systems)
  checkRules(keys, rules)
  for (const delivery of elementsAt(root, CPIX, 'DeliveryDataList', 'DeliveryData'))
    checkCertificate(delivery)
}

function checkOrder(element: XmlElement): void {
  const order = ORDER[element.name] ?? []
  const places = element.children.map(({ name }) => order.indexOf(name))
  refuseIf(places.includes(-1), MALFORMED)
  refuseIf(
    places.some((place, index) => place < (places[index - 1] ?? 0)),
    MALFORMED,
  )
  for (const child of element.children) checkOrder(child)
}

function checkKeys(keys: XmlElement[], systems: XmlElement[]): void {
  refuseIf(keys.length === 0, MALFORMED)
  const ids = keys.map(kidOf)
  refuseIf(new Set(ids).size !== ids.length || ids.some((kid) => !UUID.test(kid)), MALFORMED)
  for (const { attributes } of keys) {
    const scheme = attributes.get('commonEncryptionScheme')
    refuseIf(
      scheme === undefined,
      `Missing ContentKey@commonEncryptionScheme for KID ${attributes.get('kid')}`,
    )
    const iv = attributes.get('explicitIV')
    refuseIf(iv !== undefined && decodeBase64(iv)?.length !== 16, MALFORMED)
  }
  const schemes = new Set(keys.map(({ attributes }) => attributes.get('commonEncryptionScheme')))
  const [scheme = ''] = schemes
  refuseIf(
    schemes.size > 1 || !SCHEMES.includes(scheme),
    'Non compliant ContentKey@commonEncryptionScheme combination',
  )
  const hasFairPlay = systems.some((one) => systemIdOf(one) === DRM_SYSTEM_IDS.fairplay)
  refuseIf(
    hasFairPlay && scheme !== 'cbcs',
    `ContentKey@commonEncryptionScheme non compatible with DRMSystem ${DRM_SYSTEM_IDS.fairplay}`,
  )
}

function checkSystems(keys: XmlElement[], systems: XmlElement[]): void {
  const known: readonly string[] = Object.values(DRM_SYSTEM_IDS)
  const used = new Set(systems.map(systemIdOf))
  refuseIf(used.size === 0 || [...used].some((id) => !known.includes(id)), MALFORMED)
  for (const system of systems) {
    const playlists = childrenOf(system, CPIX, 'HLSSignalingData').map(({ attributes }) =>
      attributes.get('playlist'),
    )
    // Both playlists, or no HLS at all.
    refuseIf(!['', 'master,media'].includes(playlists.toSorted(byName).join()), MALFORMED)
  }
  const wanted = keys.flatMap((key) => [...used].map((id) => `${kidOf(key)} ${id}`))
  const got = systems.map((system) => `${kidOf(system)} ${systemIdOf(system)}`)
  refuseIf(got.toSorted().join() !== wanted.toSorted().join(), MALFORMED)
}

const byName = (a = '', b = ''): number => a.localeCompare(b)

function checkRules(keys: XmlElement[], rules: XmlElement[]): void {
  refuseIf(rules.map(kidOf).toSorted().join() !== keys.map(kidOf).toSorted().join(), MALFORMED)
  const types = rules.map(({ attributes }) => attributes.get('intendedTrackType') ?? '')
  refuseIf(types.includes('') || new Set(types).size !== types.length, MALFORMED)
  refuseIf(types.includes('ALL') && types.length > 1, MALFORMED)
  const videos = rules.flatMap((rule) => childrenOf(rule, CPIX, 'VideoFilter'))
  const audios = rules.flatMap((rule) => childrenOf(rule, CPIX, 'AudioFilter'))
  for (const rule of rules) {
    const filters = [
      ...childrenOf(rule, CPIX, 'VideoFilter'),
      ...childrenOf(rule, CPIX, 'AudioFilter'),
    ]
    refuseIf(filters.length === 0, MALFORMED)
    const isBare = filters.length === 2 && filters.every(({ attributes }) => attributes.size === 0)
    const names = new Set(filters.map(({ name }) => name))
    refuseIf(
      rule.attributes.get('intendedTrackType') === 'ALL' ? !isBare : names.size > 1,
      MALFORMED,
    )
  }
  refuseIf(!areDistinct(videos, 'minPixels', 'maxPixels'), MALFORMED)
  refuseIf(!areDistinct(audios, 'minChannels', 'maxChannels'), MALFORMED)
}

/**
 * Whether every filter has limits of its own. Ranges may overlap: AWS's own requests have an HD key without an upper
 * limit beside a UHD key.
 */
function areDistinct(filters: XmlElement[], low: string, high: string): boolean {
  const ranges = filters.map(({ attributes }) => ({
    min: Number(attributes.get(low) ?? 0),
    max: Number(attributes.get(high) ?? Infinity),
  }))
  const texts = new Set(ranges.map(({ min, max }) => `${min}-${max}`))
  return texts.size === ranges.length && ranges.every(({ min, max }) => min <= max)
}

function checkCertificate(delivery: XmlElement): void {
  const [data] = elementsAt(delivery, CPIX, 'DeliveryKey')
  const [text] = data ? elementsAt(data, XMLDSIG, 'X509Data', 'X509Certificate') : []
  const der = decodeBase64(text?.text ?? '')
  refuseIf(!der, MALFORMED)
  const { publicKey } = new X509Certificate(der ?? Buffer.alloc(0))
  refuseIf(publicKey.asymmetricKeyDetails?.modulusLength !== 2048, MALFORMED)
}

const kidOf = ({ attributes }: XmlElement): string => attributes.get('kid')?.toLowerCase() ?? ''
const systemIdOf = ({ attributes }: XmlElement): string =>
  attributes.get('systemId')?.toLowerCase() ?? ''
