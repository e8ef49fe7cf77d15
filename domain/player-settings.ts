/** An account's player, watermark and protection settings (spec, "Player settings"). */
export interface PlayerSettings {
  theme: 'dark' | 'light' | 'auto'
  colors: { accent: string; background: string; text: string }
  /** The short sides that may be encoded, in pixels. */
  available_resolutions: number[]
  subtitles: {
    enabled_by_default: boolean
    default_language: string | null
    size: 'small' | 'medium' | 'large'
  }
  watermark: {
    enabled: boolean
    /** With `enabled`: playback needs a valid viewer token (spec, "Viewer token", rule 9). */
    required: boolean
    opacity: number
    size: 'small' | 'medium' | 'large'
  }
  allowed_domains: string[]
  blocked_domains: string[]
  /** Multi-DRM plans: browsers without hardware DRM are not played. */
  app_only_l3: boolean
  /** Keep the untouched source beside the encoded renditions. */
  keep_original: boolean
  /** A page per video on its own host that frames the embed. */
  direct_play: boolean
}

/** What a new account starts with. */
export const DEFAULT_PLAYER_SETTINGS: PlayerSettings = {
  theme: 'dark',
  colors: { accent: '#4f8cff', background: '#000000', text: '#ffffff' },
  available_resolutions: [240, 360, 480, 720, 1080, 1440, 2160],
  subtitles: { enabled_by_default: false, default_language: null, size: 'medium' },
  watermark: { enabled: false, required: false, opacity: 0.35, size: 'medium' },
  allowed_domains: [],
  blocked_domains: [],
  app_only_l3: false,
  keep_original: false,
  direct_play: false,
}

/** True where a vt is needed to play (spec, "Viewer token", rule 9). */
export const isViewerTokenEnforced = (settings: PlayerSettings): boolean =>
  settings.watermark.enabled && settings.watermark.required
