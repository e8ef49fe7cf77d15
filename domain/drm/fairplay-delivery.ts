/**
 * How Safari plays Multi-DRM videos. `dash`: as every other browser, from the DASH manifest by Media Source
 * Extensions. `hls`: by its own player, from HLS playlists.
 */
export const FAIRPLAY_DELIVERIES = ['dash', 'hls'] as const

export type FairplayDelivery = (typeof FAIRPLAY_DELIVERIES)[number]
