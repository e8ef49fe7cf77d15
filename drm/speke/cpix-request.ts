import { create } from 'xmlbuilder2'
import { DRM_SYSTEM_IDS } from '../../domain/drm/drm-system.ts'
import { PIXELS } from '../../domain/drm/key-contract.ts'
import type { WantedKey } from '../key-provider.ts'
import { uuidOf } from '../uuid.ts'
import { CPIX, CPIX_VERSION, hasPssh, KEY_SCHEME, PSKC, XMLDSIG } from './cpix-names.ts'

type Element = ReturnType<typeof create>

export interface CpixRequest {
  contentId: string
  /** The whole encryption contract, whatever rungs the video has. */
  keys: readonly WantedKey[]
  /** The certificate (DER) that the content keys are encrypted for; absent: they come in clear, over TLS. */
  certificate?: Buffer | undefined
}

/**
 * Builds the CPIX 2.3 document of a SPEKE 2.0 request: the keys with their proposed ids and IVs, the signalling
 * of every system for each of them, and the tracks that each encrypts (AWS, "SPEKE API v2").
 */
export function cpixRequest({ contentId, keys, certificate }: CpixRequest): string {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele(CPIX, 'cpix:CPIX', {
    contentId,
    version: CPIX_VERSION,
  })
  root.att('http://www.w3.org/2000/xmlns/', 'xmlns:pskc', PSKC)
  if (certificate) addDeliveryData(root, certificate)
  const list = root.ele('cpix:ContentKeyList')
  for (const { keyId, iv } of keys)
    list.ele('cpix:ContentKey', {
      kid: uuidOf(keyId),
      explicitIV: iv.toString('base64'),
      commonEncryptionScheme: KEY_SCHEME,
    })
  const systems = root.ele('cpix:DRMSystemList')
  for (const key of keys)
    for (const systemId of Object.values(DRM_SYSTEM_IDS)) addSystem(systems, key, systemId)
  const rules = root.ele('cpix:ContentKeyUsageRuleList')
  for (const key of keys) addUsageRule(rules, key)
  return root.end()
}

function addDeliveryData(root: Element, certificate: Buffer): void {
  const data = root.ele('cpix:DeliveryDataList').ele('cpix:DeliveryData')
  const x509 = data.ele('cpix:DeliveryKey').ele(XMLDSIG, 'ds:X509Data')
  x509.ele(XMLDSIG, 'ds:X509Certificate').txt(certificate.toString('base64'))
}

/** Both playlists: a key server may refuse a request for one of them. */
function addSystem(systems: Element, { keyId }: WantedKey, systemId: string): void {
  const system = systems.ele('cpix:DRMSystem', { kid: uuidOf(keyId), systemId })
  if (hasPssh(systemId)) {
    system.ele('cpix:PSSH')
    system.ele('cpix:ContentProtectionData')
  }
  for (const playlist of ['media', 'master']) system.ele('cpix:HLSSignalingData', { playlist })
}

function addUsageRule(rules: Element, { keyId, name }: WantedKey): void {
  const rule = rules.ele('cpix:ContentKeyUsageRule', {
    kid: uuidOf(keyId),
    intendedTrackType: name,
  })
  if (name === 'ALL' || name === 'VIDEO') rule.ele('cpix:VideoFilter')
  else if (name !== 'AUDIO') rule.ele('cpix:VideoFilter', pixelsOf(name))
  if (name === 'ALL' || name === 'AUDIO') rule.ele('cpix:AudioFilter')
}

function pixelsOf(name: keyof typeof PIXELS): Record<string, string> {
  const { min, max }: { min?: number; max?: number } = PIXELS[name]
  return {
    ...(min === undefined ? {} : { minPixels: String(min) }),
    ...(max === undefined ? {} : { maxPixels: String(max) }),
  }
}
