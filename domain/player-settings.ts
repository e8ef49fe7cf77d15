import type { ConcurrentPlays } from './playback/concurrent-plays.ts'
import type { EndScreen } from './end-screen.ts'

/** An account's player, watermark and protection settings (contract, "Player settings"). */
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
    /** Together with `enabled`: playback requires a valid viewer token (contract, "Viewer token"). */
    required: boolean
    opacity: number
    size: 'small' | 'medium' | 'large'
  }
  /** Viewers without a valid viewer token are not limited. */
  concurrent_plays: ConcurrentPlays
  end_screen: EndScreen
  allowed_domains: string[]
  blocked_domains: string[]
  /** App-Only mode of Multi-DRM plans: browsers without hardware DRM cannot play. */
  app_only_l3: boolean
  /** Keep the original source in addition to the renditions. */
  keep_original: boolean
  /** Make chapters and captions of those in the source; never replaces those of the integrator. */
  import_chapters_and_captions: boolean
  /** Bring the audio of all videos to the same loudness (`domain/encoding/loudness.ts`). */
  normalize_loudness: boolean
  /** Serve each video on the Direct Play host too, on a page that frames its embed page. */
  direct_play: boolean
}

/** The settings of a new account. */
export const DEFAULT_PLAYER_SETTINGS: PlayerSettings = {
  theme: 'dark',
  colors: { accent: '#4f8cff', background: '#000000', text: '#ffffff' },
  available_resolutions: [240, 360, 480, 720, 1080, 1440, 2160],
  subtitles: { enabled_by_default: false, default_language: null, size: 'medium' },
  watermark: { enabled: false, required: false, opacity: 0.35, size: 'medium' },
  concurrent_plays: { limit: null, winner: 'newest' },
  end_screen: { action: 'replay', link_url: null, link_text: null },
  allowed_domains: [],
  blocked_domains: [],
  app_only_l3: false,
  keep_original: false,
  import_chapters_and_captions: true,
  normalize_loudness: false,
  direct_play: false,
}

/** True for a colour that the player can show, such as `#4f8cff` or `#fff`. */
export const isColor = (text: string): boolean => /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)

/** A watermark that cannot be seen protects nothing. */
export const OPACITY_MIN = 0.05

export const isOpacity = (opacity: number): boolean => opacity >= OPACITY_MIN && opacity <= 1

/** True for a text in the form of a BCP 47 language, such as `en` or `pt-BR`. */
export const isLanguageTag = (text: string): boolean => /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(text)

/** True if playback requires a valid viewer token (contract, "Viewer token"). */
export const isViewerTokenEnforced = (settings: PlayerSettings): boolean =>
  settings.watermark.enabled && settings.watermark.required

/** Player settings and how often they were changed, from 1. */
export interface VersionedSettings {
  settings: PlayerSettings
  version: number
}

/** Some of the settings; of a group, some of its settings. Undefined ones keep their values. */
export type SettingsChange = {
  [Name in keyof PlayerSettings]?:
    | (PlayerSettings[Name] extends unknown[]
        ? PlayerSettings[Name]
        : PlayerSettings[Name] extends object
          ? Optional<PlayerSettings[Name]>
          : PlayerSettings[Name])
    | undefined
}

/** The settings with the change made. */
export const withChange = (
  settings: PlayerSettings,
  { colors, subtitles, watermark, concurrent_plays, end_screen, ...change }: SettingsChange,
): PlayerSettings => ({
  ...overlay(settings, change),
  colors: overlay(settings.colors, colors),
  subtitles: overlay(settings.subtitles, subtitles),
  watermark: overlay(settings.watermark, watermark),
  concurrent_plays: overlay(settings.concurrent_plays, concurrent_plays),
  end_screen: overlay(settings.end_screen, end_screen),
})

/** The values of `base`, replaced by the defined values of `change`. */
function overlay<T extends object>(base: T, change: Optional<T> = {}): T {
  const result = { ...base }
  for (const name in change) {
    const value = change[name]
    if (value !== undefined) result[name] = value
  }
  return result
}

type Optional<T> = { [Name in keyof T]?: T[Name] | undefined }
