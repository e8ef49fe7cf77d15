/** What the operator wants from encoders (`ENCODE_MODE`): to be done soon, or fewer bytes at the same quality. */
export const ENCODE_MODES = ['speed', 'quality'] as const

export type EncodeMode = (typeof ENCODE_MODES)[number]

/** The presets of x264 in use. */
export type Preset = 'veryfast' | 'faster'

export interface EncoderSettings {
  preset: Preset
  /** Constant quality: a lower number is a better picture with more bytes. */
  crf: number
}

/**
 * Both have the same SSIM on the videos of `npm run bench -- quality`. `faster` needs about 0.93 of the bytes, for 1.4
 * times the processor time (ADR 0034).
 */
export const ENCODER_SETTINGS: Readonly<Record<EncodeMode, EncoderSettings>> = {
  speed: { preset: 'veryfast', crf: 22 },
  quality: { preset: 'faster', crf: 23.5 },
}

/** The preset of rungs that were planned before they named theirs. */
export const FORMER_PRESET: Preset = 'veryfast'
