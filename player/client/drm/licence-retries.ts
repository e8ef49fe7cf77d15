import { factsOf } from '../playback/shaka-errors.ts'
import type { ShakaError, ShakaPlayer } from '../playback/shaka.ts'
import type { MessageCode, Problems } from '../problems.ts'
import { licenceProblemOf } from './drm-problems.ts'

/** As the `Retry-After` of the player host for a provider that is away. Its limits of licences ask for less. */
const RETRY_SECONDS = 5

/** Licence requests that failed, and their repetition. */
export interface LicenceRetries {
  /** For Shaka Player's `drm.failureCallback`. */
  onFailure(this: void, error: ShakaError): void
  /** Follows the licences of a player. */
  connect(player: ShakaPlayer): void
  /** Why the last of the refused sessions was refused; null without one. */
  lastRefusal(): MessageCode | null
}

/**
 * Repeats a licence request that got no response, or that is one too many, until it succeeds. The video stays loaded and
 * the buffer stays full: only the session of this key is opened again. A renewal without a response changes nothing: the licence is still valid, and the CDM or the next interval asks again.
 */
export function retryLicences(problems: Problems): LicenceRetries {
  let player: ShakaPlayer | null = null
  let waitsFor: MessageCode | null = null
  const refusals = new Map<unknown, MessageCode>()
  const renewing = new Set<unknown>()
  return {
    onFailure(error) {
      const problem = licenceProblemOf(error.data?.[0])
      const session = sessionOf(error)
      if (problem !== 'drm_unavailable' && problem !== 'network')
        return void refusals.set(session, problem)
      // Shaka Player then neither reports the error nor forgets the session.
      error.handled = true
      if (renewing.has(session)) return
      waitsFor = problem
      problems.show(problem, factsOf(error))
      void player?.retryLicensing(error.data?.[1], RETRY_SECONDS).catch(() => undefined)
    },
    connect(given) {
      player = given
      given.getNetworkingEngine()?.registerRequestFilter((_type, request) => {
        const { sessionId, licenseRequestType } = request
        refusals.delete(sessionId)
        renewing.delete(sessionId)
        // PlayReady closes the session before it renews.
        const isKept = !given.keySystem().startsWith('com.microsoft.playready')
        if (licenseRequestType === 'license-renewal' && isKept) renewing.add(sessionId)
      })
      given.addEventListener('drmsessionupdate', () => {
        if (waitsFor !== null) problems.clear(waitsFor)
        waitsFor = null
      })
    },
    lastRefusal: () => [...refusals.values()].pop() ?? null,
  }
}

const sessionOf = ({ data }: ShakaError): unknown => Object(data?.[1]).sessionId
