import { create } from 'xmlbuilder2'
import { DRM_SYSTEM_IDS } from '../../domain/drm-system.ts'
import { encryptionScheme } from '../../domain/plan.ts'
import type { WantedKey } from '../key-provider.ts'
import { uuidOf } from '../uuid.ts'

/** The Common Encryption scheme of every requested key. */
export const KEY_SCHEME = encryptionScheme('multi-drm')

/** Returns whether a system's signalling includes a pssh box and MPD content; FairPlay has neither. */
export const hasPssh = (systemId: string): boolean => systemId !== DRM_SYSTEM_IDS.fairplay

const CPIX = 'urn:dashif:org:cpix'
const PSKC = 'urn:ietf:params:xml:ns:keyprov:pskc'

/** Builds the CPIX 2.3 document of a SPEKE v2 request: key ids, systems, and the tracks of each key. */
export function cpixRequest(contentId: string, keys: readonly WantedKey[]): string {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele(CPIX, 'cpix:CPIX', {
    contentId,
    version: '2.3',
  })
  root.att('http://www.w3.org/2000/xmlns/', 'xmlns:pskc', PSKC)
  const list = root.ele('cpix:ContentKeyList')
  for (const { keyId } of keys)
    list.ele('cpix:ContentKey', { kid: uuidOf(keyId), commonEncryptionScheme: KEY_SCHEME })
  const systems = root.ele('cpix:DRMSystemList')
  for (const { keyId } of keys)
    for (const systemId of Object.values(DRM_SYSTEM_IDS)) {
      const system = systems.ele('cpix:DRMSystem', { kid: uuidOf(keyId), systemId })
      if (hasPssh(systemId)) {
        system.ele('cpix:PSSH')
        system.ele('cpix:ContentProtectionData')
      }
      system.ele('cpix:HLSSignalingData', { playlist: 'media' })
    }
  const rules = root.ele('cpix:ContentKeyUsageRuleList')
  for (const { keyId, name, trackTypes } of keys) {
    const rule = rules.ele('cpix:ContentKeyUsageRule', {
      kid: uuidOf(keyId),
      intendedTrackType: name,
    })
    if (trackTypes.includes('AUDIO')) rule.ele('cpix:AudioFilter')
    if (trackTypes.some((type) => type !== 'AUDIO')) rule.ele('cpix:VideoFilter')
  }
  return root.end()
}
