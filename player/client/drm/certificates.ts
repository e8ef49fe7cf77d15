import type { DrmSystemName } from '../../../domain/drm/drm-system.ts'
import type { PlayerDrm } from '../../player-data.ts'

/** A certificate that takes longer costs more than the round trip that it saves. */
const WIDEVINE_TIMEOUT_MS = 1_500
const FAIRPLAY_RETRY_MS = 3_000

/**
 * Fetches the certificate of a licence server, which saves Widevine a round trip and which FairPlay needs.
 * Resolves to null if there is none, or if Widevine's does not come in time: its CDM then asks by itself.
 * FairPlay's is asked for until it comes; `onWaiting` is called each time that it does not.
 */
export async function fetchCertificate(
  system: DrmSystemName,
  { servers }: PlayerDrm,
  onWaiting: () => void,
): Promise<Uint8Array | null> {
  const url = servers[system].certificateUrl
  if (url === null) return null
  if (system !== 'fairplay')
    return get(url, AbortSignal.timeout(WIDEVINE_TIMEOUT_MS)).catch(() => null)
  for (;;) {
    try {
      return await get(url)
    } catch {
      onWaiting()
      await new Promise((resolve) => setTimeout(resolve, FAIRPLAY_RETRY_MS))
    }
  }
}

/** Resolves to null for 404: no certificate is configured. Throws for every other failure. */
async function get(url: string, signal: AbortSignal | null = null): Promise<Uint8Array | null> {
  const response = await fetch(url, { signal })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
