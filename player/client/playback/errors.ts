import type { EmbeddingMistake, MessageCode, Problems } from '../problems.ts'
import type { DrmSupport } from './drm-support.ts'
import type { Engine } from './engine.ts'
import { BAD_HTTP_STATUS, factsOf, licenceMessage } from './shaka-errors.ts'
import type { ShakaError } from './shaka.ts'

const NETWORK_CATEGORY = 1
const DRM_CATEGORY = 6
const LICENCE_REQUEST_FAILED = 6007

/** Returns the message for an error of Shaka Player. `drm` is null for a ClearKey video. */
export function messageFor(error: unknown, drm: DrmSupport | null): MessageCode {
  const drmProblem = drm?.problemOf(error)
  if (drmProblem) return drmProblem
  const { code, category, data }: ShakaError = Object(error)
  if (code === LICENCE_REQUEST_FAILED) return licenceMessage(data?.[0])
  if (category === DRM_CATEGORY) return embeddingMistake() ?? 'unsupported'
  if (code === BAD_HTTP_STATUS && (data?.[1] === 403 || data?.[1] === 404)) return 'licence_refused'
  return category === NETWORK_CATEGORY ? 'network' : 'failed'
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

/** The policy API under its current and its former name. TypeScript has no types for it. */
type DocumentWithPolicy = Document & {
  permissionsPolicy?: FeaturePolicy
  featurePolicy?: FeaturePolicy
}

function allowsEncryptedMedia(): boolean {
  const { permissionsPolicy, featurePolicy }: DocumentWithPolicy = document
  return (permissionsPolicy ?? featurePolicy)?.allowsFeature('encrypted-media') ?? true
}

/** True if the manifest of a growing video could not be fetched again: Shaka Player goes on, and retries. */
function isFailedUpdate(error: unknown): boolean {
  const { severity, data }: ShakaError = Object(error)
  return severity === 1 && String(data?.[0]).includes('.mpd')
}

const RETRY_MS = 3_000

/** Loads the video. Retries network errors until it succeeds; throws all other errors. */
export async function loadPatiently(
  engine: Engine,
  problems: Problems,
  startSeconds: number | null,
): Promise<void> {
  for (;;) {
    try {
      await engine.load(startSeconds)
      return problems.clear()
    } catch (error) {
      if (messageFor(error, engine.drm) !== 'network') throw error
      problems.show('network', factsOf(error))
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/**
 * Shows playback errors, and resumes by itself when a lost connection is back. Returns a function that
 * retries immediately.
 */
export function recoverFrom(
  engine: Engine,
  video: HTMLVideoElement,
  problems: Problems,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  const retry = (): void => void engine.player.retryStreaming()
  const recovered = (): void => {
    clearInterval(timer)
    timer = undefined
    problems.clear()
  }
  engine.player.addEventListener('error', (event) => {
    const error = 'detail' in event ? event.detail : event
    if (isFailedUpdate(error)) return
    const code = messageFor(error, engine.drm)
    problems.show(code, factsOf(error))
    if (code !== 'network') return video.pause()
    timer ??= setInterval(retry, RETRY_MS)
  })
  addEventListener('online', retry)
  video.addEventListener('timeupdate', () => {
    if (timer !== undefined && !video.paused) recovered()
  })
  return retry
}
