import type { MessageCode, Problems } from '../problems.ts'
import type { ShakaError, ShakaPlayer } from '../playback/shaka.ts'
import { licenceProblemOf } from './drm-problems.ts'

/** As the player host's `Retry-After`. */
const RETRY_SECONDS = 5

/** Licence requests that failed, and their repetition. */
export interface LicenceRetries {
  /** For Shaka Player's `drm.failureCallback`. */
  onFailure(this: void, error: ShakaError): void
  /** Follows the licences of a player. */
  connect(player: ShakaPlayer): void
  /** Why the last request was refused; null if the last one was granted. */
  lastRefusal(): MessageCode | null
}

/**
 * Repeats a licence request that the provider or the connection did not answer, until it is answered. The film
 * stays loaded and the buffer stays full: only the session of this key is opened again.
 */
export function retryLicences(problems: Problems): LicenceRetries {
  let player: ShakaPlayer | null = null
  let refusal: MessageCode | null = null
  let isWaiting = false
  return {
    onFailure(error) {
      const problem = licenceProblemOf(error.data?.[0])
      if (problem !== 'drm_unavailable' && problem !== 'network') return void (refusal = problem)
      // Shaka Player then neither reports the error nor forgets the session.
      error.handled = true
      isWaiting = true
      problems.show(problem)
      void player?.retryLicensing(error.data?.[1], RETRY_SECONDS).catch(() => undefined)
    },
    connect(given) {
      player = given
      player.addEventListener('drmsessionupdate', () => {
        refusal = null
        if (isWaiting) problems.clear()
        isWaiting = false
      })
    },
    lastRefusal: () => refusal,
  }
}
