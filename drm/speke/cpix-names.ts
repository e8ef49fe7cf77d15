import { encryptionScheme } from '../../domain/accounts/plan.ts'
import { DRM_SYSTEM_IDS } from '../../domain/drm/drm-system.ts'

/** Namespaces of a CPIX document. */
export const CPIX = 'urn:dashif:org:cpix'
export const PSKC = 'urn:ietf:params:xml:ns:keyprov:pskc'
export const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'
export const XMLENC = 'http://www.w3.org/2001/04/xmlenc#'

/** SPEKE 2.0 uses CPIX 2.3. */
export const SPEKE_VERSION = '2.0'
export const CPIX_VERSION = '2.3'

/** The Common Encryption scheme of every requested key. */
export const KEY_SCHEME = encryptionScheme('multi-drm')

/** Returns whether a system's signalling includes a pssh box and MPD content; FairPlay has neither. */
export const hasPssh = (systemId: string): boolean => systemId !== DRM_SYSTEM_IDS.fairplay
