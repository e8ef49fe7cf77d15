import { DEFAULT_PLAYER_SETTINGS } from '../domain/player-settings.ts'

const resolutions = DEFAULT_PLAYER_SETTINGS.available_resolutions

/** Every setting by its dot path, with the values it takes, for an error message. */
export const SETTING_HINTS: Readonly<Record<string, string>> = {
  theme: 'dark | light | auto',
  'colors.accent': '#rrggbb',
  'colors.background': '#rrggbb',
  'colors.text': '#rrggbb',
  available_resolutions: `a list among ${resolutions.join(', ')}`,
  'subtitles.enabled_by_default': 'true | false',
  'subtitles.default_language': 'a language such as en, or null',
  'subtitles.size': 'small | medium | large',
  'watermark.enabled': 'true | false',
  'watermark.required': 'true | false',
  'watermark.opacity': '0.05 to 1',
  'watermark.size': 'small | medium | large',
  allowed_domains: 'a list such as ["a.example","*.b.example"]',
  blocked_domains: 'a list such as ["a.example","*.b.example"]',
  app_only_l3: 'true | false',
  keep_original: 'true | false',
  direct_play: 'true | false',
}
