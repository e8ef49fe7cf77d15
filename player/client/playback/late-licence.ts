import type { PlayerData } from '../../player-data.ts'
import type { ShakaNamespace, ShakaPlayer } from './shaka.ts'

/**
 * Makes the segments of a ClearKey video wait for the licence where the browser does not decrypt ClearKey itself. Apple's
 * browsers do not, so Shaka Player decrypts there, with the keys that it has when the first segment of a kind arrives.
 * A licence that came later would leave every segment encrypted, and the video would not play. Returns a function to call
 * before each load, which brings keys of its own.
 */
export function holdForLicence(
  player: ShakaPlayer,
  shaka: ShakaNamespace,
  { licenceUrl }: PlayerData,
): () => void {
  if (licenceUrl === null || !navigator.vendor.startsWith('Apple')) return () => {}
  const { RequestType, AdvancedRequestType } = shaka.net.NetworkingEngine
  const known = new Set<string>()
  const arrivals = new EventTarget()
  const network = player.getNetworkingEngine()
  network?.registerResponseFilter((type, { data }) => {
    if (type !== RequestType.LICENSE) return
    for (const id of keyIdsIn(data)) known.add(id)
    arrivals.dispatchEvent(new Event('licence'))
  })
  network?.registerRequestFilter(async (type, _request, context) => {
    const isMedia = context?.type === AdvancedRequestType.MEDIA_SEGMENT
    if (type !== RequestType.SEGMENT || !isMedia) return
    const needed = [...(context.stream?.keyIds ?? [])]
    while (!needed.every((id) => known.has(id)))
      await new Promise((resolve) => arrivals.addEventListener('licence', resolve, { once: true }))
  })
  return () => known.clear()
}

/** The ids of the keys in a licence (W3C EME, "Clear Key"), in hex; none in another text. */
function keyIdsIn(data: BufferSource): string[] {
  try {
    const { keys }: { keys: { kid: string }[] } = JSON.parse(new TextDecoder().decode(data))
    return keys.map(({ kid }) => hexOf(kid))
  } catch {
    return []
  }
}

const hexOf = (base64Url: string): string =>
  Array.from(atob(base64Url.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0).toString(16).padStart(2, '0'),
  ).join('')
