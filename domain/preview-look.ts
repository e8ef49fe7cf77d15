import type { PlayerSettings } from './player-settings.ts'

/** What a preview may show in place of the saved settings: looks, and nothing that protects. */
export interface PreviewLook {
  theme: PlayerSettings['theme']
  colors: PlayerSettings['colors']
  subtitles: PlayerSettings['subtitles']
  watermark: Omit<PlayerSettings['watermark'], 'required'>
}

/** The look of settings. */
export const previewLookOf = ({
  theme,
  colors,
  subtitles,
  watermark: { enabled, opacity, size },
}: PlayerSettings): PreviewLook => ({
  theme,
  colors,
  subtitles,
  watermark: { enabled, opacity, size },
})

/**
 * The settings with another look. A look can add the watermark, but not remove it; `required` and all
 * other settings keep their values.
 */
export const withLook = (settings: PlayerSettings, look: PreviewLook): PlayerSettings => ({
  ...settings,
  theme: look.theme,
  colors: look.colors,
  subtitles: look.subtitles,
  watermark: {
    enabled: settings.watermark.enabled || look.watermark.enabled,
    required: settings.watermark.required,
    opacity: look.watermark.opacity,
    size: look.watermark.size,
  },
})

/** What the viewer ids of members begin with. */
export const DASHBOARD_VIEWER_PREFIX = 'dashboard:'

/** The viewer id that tokens of the dashboard carry, by which its watermarks and sessions are recognised. */
export const dashboardViewerId = (memberId: number): string =>
  `${DASHBOARD_VIEWER_PREFIX}${memberId}`

/** The query parameter of an embed address that carries a preview ticket. */
export const PREVIEW_PARAMETER = 'preview'
