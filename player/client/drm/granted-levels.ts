import type { ShakaVariant } from '../playback/shaka.ts'
import type { KeySystem } from './key-systems.ts'

/**
 * Makes the browser's response for the loaded variants hold where their key system is asked for again without a level:
 * Shaka Player forgets the levels when the manifest of a growing video is read the second time, because its DASH parser
 * releases the `PeriodCombiner` of a recording in progress after the first. A browser may have a system in hardware
 * only, and every variant would then be dropped. To be called when a video has loaded, and once in a page: Shaka
 * Player's own polyfill replaces the same function before.
 */
export function keepGrantedLevels(
  systems: readonly KeySystem[],
  variants: () => readonly ShakaVariant[],
): void {
  const { mediaCapabilities } = navigator
  const ask = mediaCapabilities.decodingInfo.bind(mediaCapabilities)
  const grantedFor = ({ keySystemConfiguration: asked }: MediaDecodingConfiguration) => {
    if (!asked || asked.video?.robustness || asked.audio?.robustness) return undefined
    const name = systems.find(({ announced }) => announced === asked.keySystem)?.name
    return name && grantedInfo(variants(), name)
  }
  Object.assign(mediaCapabilities, {
    decodingInfo: async (configuration: MediaDecodingConfiguration) =>
      grantedFor(configuration) || ask(configuration),
  })
}

/** Returns the browser's first positive response for a key system, in the order in which it was asked for levels. */
export const grantedInfo = (
  variants: readonly ShakaVariant[],
  name: string,
): ShakaVariant['decodingInfos'][number] | undefined =>
  variants
    .flatMap(({ decodingInfos }) => decodingInfos)
    .find(({ supported, keySystemAccess }) => supported && keySystemAccess?.keySystem === name)
