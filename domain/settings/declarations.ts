import type { Setting } from './kinds.ts'

const OFF = { kind: 'switch', default: false } as const
const COLOR = { kind: 'color', isLook: true } as const
const HOSTS = { kind: 'hosts', default: [] } as const
const SIZE = {
  kind: 'choice',
  type: 'PlayerSize',
  values: ['small', 'medium', 'large'],
  default: 'medium',
  isLook: true,
} as const
/** Ten years. */
const KEPT_DAYS_MAX = 3_650
const RESOLUTIONS = [240, 360, 480, 720, 1080, 1440, 2160] as const

/**
 * All player settings: the only list of them. A name with a dot is a setting of a group. Types, defaults, schemas with
 * the text of the API document, the merge of edits, the hints of the command line, docs/player-settings.md and the look of a preview follow.
 */
export const SETTINGS = {
  theme: {
    kind: 'choice',
    type: 'PlayerTheme',
    values: ['dark', 'light', 'auto'],
    default: 'dark',
    isLook: true,
    about: 'auto follows the settings of the browser.',
  },
  'colors.accent': { ...COLOR, default: '#4f8cff', about: 'Seek bar, focus and buttons.' },
  'colors.background': {
    ...COLOR,
    default: '#000000',
    about: 'Behind the picture, where it does not fill the frame.',
  },
  'colors.text': { ...COLOR, default: '#ffffff', about: 'Words and icons of the controls.' },
  available_resolutions: {
    kind: 'resolutions',
    values: RESOLUTIONS,
    default: RESOLUTIONS,
    about: 'Short sides in pixels that may be encoded.',
  },
  'subtitles.enabled_by_default': {
    ...OFF,
    isLook: true,
    about: 'Whether subtitles show from the start.',
  },
  'subtitles.default_language': {
    kind: 'language',
    default: null,
    isLook: true,
    about: 'BCP 47; null: the language of the browser.',
  },
  'subtitles.size': { ...SIZE, about: 'Size of the subtitles.' },
  'watermark.enabled': {
    ...OFF,
    isLook: true,
    about: 'Shows the verified viewer id over the video.',
  },
  // With `enabled`, playback requires a valid viewer token (contract, "Viewer token").
  'watermark.required': { ...OFF, about: 'Together with enabled: playback needs a valid vt.' },
  // A watermark that cannot be seen protects nothing.
  'watermark.opacity': {
    kind: 'fraction',
    min: 0.05,
    default: 0.35,
    isLook: true,
    about: 'From 0.05 to 1.',
  },
  'watermark.size': { ...SIZE, about: 'Size of the watermark.' },
  // Viewers without a valid viewer token are not limited.
  'concurrent_plays.limit': {
    kind: 'limit',
    max: 20,
    default: null,
    about: 'Plays of one verified viewer at the same time, 1 to 20; null: any.',
  },
  'concurrent_plays.winner': {
    kind: 'choice',
    type: 'PlayWinner',
    values: ['newest', 'oldest'],
    default: 'newest',
    about: 'Which plays go on when there are more than the limit.',
  },
  'end_screen.action': {
    kind: 'choice',
    type: 'EndScreenAction',
    values: ['replay', 'link', 'nothing'],
    default: 'replay',
    about: 'What the player offers at the end: to replay, to replay or follow a link, or nothing.',
  },
  'end_screen.link_url': {
    kind: 'link',
    max: 2_048,
    default: null,
    about: 'Opens in a new tab; null with the action link: only to replay.',
  },
  'end_screen.link_text': {
    kind: 'line',
    max: 60,
    default: null,
    about: 'Null: the host of link_url.',
  },
  allowed_domains: { ...HOSTS, about: 'Hosts that may embed; empty: every host.' },
  blocked_domains: {
    ...HOSTS,
    about: 'Hosts that may not embed; takes precedence over allowed_domains.',
  },
  app_only_l3: { ...OFF, about: 'Multi-DRM plans: refuses browsers without hardware DRM.' },
  keep_original: { ...OFF, about: 'Whether the uploaded file is kept.' },
  // Chapters and captions of the integrator are never replaced.
  import_chapters_and_captions: {
    kind: 'switch',
    default: true,
    about: 'Whether chapters and text subtitles of the source become those of the video.',
  },
  normalize_loudness: {
    ...OFF,
    about:
      'Whether the audio of new videos is brought to -16 LUFS (EBU R 128), by one gain for each track.',
  },
  // The contract is silent: docs/spec-decisions.md, "Viewer data".
  'viewer_data.totals_only': {
    ...OFF,
    about:
      'Keeps the totals of the audience only. What is kept of each viewer is erased when this is switched on.',
  },
  'viewer_data.sessions_kept_days': {
    kind: 'days',
    max: KEPT_DAYS_MAX,
    default: null,
    about:
      'Days that playback sessions are kept, if that is shorter than the installation keeps them; null: as long as it does.',
  },
  'viewer_data.progress_kept_days': {
    kind: 'days',
    max: KEPT_DAYS_MAX,
    default: null,
    about:
      'Days that the progress of a viewer is kept after the last session, if that is shorter than the installation keeps it; null: as long as it does.',
  },
  // The page on the Direct Play host frames the embed page.
  direct_play: { ...OFF, about: 'Whether each video has a separate page.' },
} as const satisfies Readonly<Record<string, Setting>>

/** The settings by their names. */
export const SETTING_BY_NAME: ReadonlyMap<string, Setting> = new Map(Object.entries(SETTINGS))

/** The name of the setting that a path such as `allowed_domains.3` belongs to; undefined if it is none. */
export const settingAt = (path: string): string | undefined =>
  [...SETTING_BY_NAME.keys()].find((name) => path === name || path.startsWith(`${name}.`))
