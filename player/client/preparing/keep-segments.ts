import type { ShakaPlayer } from '../playback/shaka.ts'

/**
 * Keeps Shaka Player from forgetting the segments of a growing video while it plays. With the second manifest of a
 * recording in progress it makes new streams of the same tracks, because its DASH parser releases the `PeriodCombiner`
 * after the first, and soon plays those. It then closes the old streams and, with them, the segments that both share: if a
 * segment is on its way at that moment, the new stream has none for good, and playback stops where the buffer ends.
 * So no stream that is played is closed before its list is unloaded.
 */
export function keepSegments(player: ShakaPlayer): void {
  player.getNetworkingEngine()?.registerRequestFilter((_type, _request, context) => {
    if (context?.stream) context.stream.closeSegmentIndex = () => undefined
  })
}
