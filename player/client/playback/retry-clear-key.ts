import type { Problems } from '../problems.ts'
import { factsOf, licenceMessage } from './shaka-errors.ts'
import type { ShakaError, ShakaPlayer } from './shaka.ts'

const RETRY_SECONDS = 3

/**
 * Returns the `drm.failureCallback` of a ClearKey video: asks again for each licence that did not come. Shaka Player reports
 * only the last of several, and asks for none again.
 */
export function retryClearKey(
  player: ShakaPlayer,
  problems: Problems,
): (error: ShakaError) => void {
  let isWaiting = false
  player.addEventListener('drmsessionupdate', () => {
    if (isWaiting) problems.clear('network')
    isWaiting = false
  })
  return (error) => {
    if (licenceMessage(error.data?.[0]) !== 'network') return
    error.handled = true
    isWaiting = true
    problems.show('network', factsOf(error))
    void player.retryLicensing(error.data?.[1], RETRY_SECONDS).catch(() => undefined)
  }
}
