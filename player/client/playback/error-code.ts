import { SESSION_ENDS } from '../../../domain/playback-session.ts'
import type { EmbeddingMistake, MessageCode } from '../message-code.ts'
import type { ShakaError } from './shaka.ts'

const NETWORK_CATEGORY = 1
const DRM_CATEGORY = 6
const BAD_HTTP_STATUS = 1001
const LICENCE_REQUEST_FAILED = 6007

/** What an error of Shaka Player means to a viewer. */
export function messageFor(error: unknown): MessageCode {
  const { code, category, data } = (error ?? {}) as ShakaError
  if (code === LICENCE_REQUEST_FAILED) return licenceFailure(data?.[0])
  if (category === DRM_CATEGORY) return embeddingMistake() ?? 'unsupported'
  if (code === BAD_HTTP_STATUS && (data?.[1] === 403 || data?.[1] === 404)) return 'licence_refused'
  return category === NETWORK_CATEGORY ? 'network' : 'failed'
}

/** A licence that was refused, by its answer; one that did not get through is the network's. */
function licenceFailure(cause: unknown): MessageCode {
  const { code, data } = (cause ?? {}) as ShakaError
  if (code !== BAD_HTTP_STATUS) return 'network'
  const text = typeof data?.[2] === 'string' ? data[2] : ''
  return SESSION_ENDS.find((end) => text.includes(`"${end}"`)) ?? 'licence_refused'
}

/** What is wrong with the iframe that holds this page; null where nothing is, as far as it shows. */
export function embeddingMistake(): EmbeddingMistake | null {
  if (window.origin === 'null') return 'sandboxed'
  if (!window.isSecureContext) return 'insecure'
  return mayUseEncryptedMedia() ? null : 'no_encrypted_media'
}

interface FeaturePolicy {
  allowsFeature(name: string): boolean
}

function mayUseEncryptedMedia(): boolean {
  const { permissionsPolicy, featurePolicy } = document as {
    permissionsPolicy?: FeaturePolicy
    featurePolicy?: FeaturePolicy
  }
  return (permissionsPolicy ?? featurePolicy)?.allowsFeature('encrypted-media') ?? true
}
