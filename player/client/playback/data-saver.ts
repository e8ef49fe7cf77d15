/** Name of the viewer's choice in the browser's storage; absent without the data saver. */
export const DATA_SAVER = 'data-saver'

/** Bits per second of picture and audio: about 360p, or 450 MB an hour. */
const BANDWIDTH_MAX = 1_000_000

/** Shaka Player's limits of automatic quality. If all rungs exceed them, it chooses the smallest. */
export const saverLimits = (isOn: boolean): { maxBandwidth: number } => ({
  maxBandwidth: isOn ? BANDWIDTH_MAX : Infinity,
})

/** The most that the data saver loads in an hour. */
export const DATA_SAVER_MEGABYTES = (BANDWIDTH_MAX * 3600) / 8 / 1e6
