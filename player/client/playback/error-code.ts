import { SESSION_ENDS } from '../../../domain/playback-session.ts'
import type { EmbeddingMistake, MessageCode } from '../problems.ts'

const NETWORK_CATEGORY = 1
const DRM_CATEGORY = 6
const BAD_HTTP_STATUS = 1001
const LICENCE_REQUEST_FAILED = 6007

/** Returns the message for an error of Shaka Player. */
export function messageFor(error: unknown): MessageCode {
  const { code, category, data }: ShakaError = Object(error)
  if (code === LICENCE_REQUEST_FAILED) return licenceMessage(data?.[0])
  if (category === DRM_CATEGORY) return embeddingMistake() ?? 'unsupported'
  if (code === BAD_HTTP_STATUS && (data?.[1] === 403 || data?.[1] === 404)) return 'licence_refused'
  return category === NETWORK_CATEGORY ? 'network' : 'failed'
}

/** Distinguishes a refused licence, by the code in the response, from a lost connection. */
function licenceMessage(cause: unknown): MessageCode {
  const { code, data }: ShakaError = Object(cause)
  if (code !== BAD_HTTP_STATUS) return 'network'
  const text = String(data?.[2])
  return SESSION_ENDS.find((end) => text.includes(`"${end}"`)) ?? 'licence_refused'
}

/** The properties of Shaka Player's errors that are read here. */
interface ShakaError {
  code?: unknown
  category?: unknown
  data?: unknown[]
}

/** Returns what is wrong with the iframe around this page, or null if no mistake is detectable. */
export function embeddingMistake(): EmbeddingMistake | null {
  if (window.origin === 'null') return 'sandboxed'
  if (!window.isSecureContext) return 'insecure'
  return allowsEncryptedMedia() ? null : 'no_encrypted_media'
}

interface FeaturePolicy {
  allowsFeature(name: string): boolean
}

/** Documents of browsers with either version of the policy API, which TypeScript does not know. */
type DocumentWithPolicy = Document & {
  permissionsPolicy?: FeaturePolicy
  featurePolicy?: FeaturePolicy
}

function allowsEncryptedMedia(): boolean {
  const { permissionsPolicy, featurePolicy }: DocumentWithPolicy = document
  return (permissionsPolicy ?? featurePolicy)?.allowsFeature('encrypted-media') ?? true
}
