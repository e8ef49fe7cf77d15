import { z } from 'zod'
import { isPlaysLimit, PLAY_WINNERS } from '../domain/playback/concurrent-plays.ts'
import {
  END_ACTIONS,
  END_LINK_TEXT_MAX,
  END_LINK_URL_MAX,
  isEndLink,
  isEndLinkText,
} from '../domain/end-screen.ts'
import { hostRule } from '../domain/host-name.ts'
import { DOMAINS_MAX } from '../domain/limits.ts'
import {
  DEFAULT_PLAYER_SETTINGS,
  isColor,
  isLanguageTag,
  isOpacity,
} from '../domain/player-settings.ts'
import type { PlayerSettings, VersionedSettings } from '../domain/player-settings.ts'

// Rules that the API document does not show are refinements: it describes the responses.
const color = z
  .string()
  .refine(isColor, 'must be a colour such as #4f8cff')
  .meta({ example: '#4f8cff' })

const size = z.enum(['small', 'medium', 'large']).meta({ id: 'PlayerSize' })
const theme = z.enum(['dark', 'light', 'auto']).meta({ id: 'PlayerTheme' })
const playWinner = z.enum(PLAY_WINNERS).meta({ id: 'PlayWinner' })
const endAction = z.enum(END_ACTIONS).meta({ id: 'EndScreenAction' })

const RESOLUTIONS = DEFAULT_PLAYER_SETTINGS.available_resolutions

const resolutions = z
  .array(
    z
      .int()
      .refine((side) => RESOLUTIONS.includes(side), `must be one of ${RESOLUTIONS.join(', ')}`),
  )
  .refine((sides) => sides.length > 0, 'must not be empty')
  .overwrite((sides) => [...new Set(sides)].toSorted((a, b) => a - b))

/** Host names as browsers send them: lowercase, and in punycode if they are not ASCII. */
const domain = z
  .string()
  .overwrite((text) => hostRule(text) ?? text)
  .refine(
    (text) => hostRule(text) !== null,
    'must be a host name such as a.example or *.a.example, without scheme, port or path',
  )

const domains = (description: string) =>
  z
    .array(domain)
    .refine((names) => names.length <= DOMAINS_MAX, `must have at most ${DOMAINS_MAX} entries`)
    .meta({ description, example: ['www.example.com', '*.example.org'] })

const language = z
  .string()
  .refine(isLanguageTag, 'must be a BCP 47 language such as en or pt-BR, or null')

const playsLimit = z.int().refine(isPlaysLimit, 'must be a whole number from 1 to 20, or null')

const endLink = z
  .string()
  .refine(
    isEndLink,
    `must be an http or https address of at most ${END_LINK_URL_MAX} characters, or null`,
  )

const endLinkText = z
  .string()
  .refine(isEndLinkText, `must be one line of 1 to ${END_LINK_TEXT_MAX} characters, or null`)

const settings = {
  theme: theme.meta({ description: 'auto follows the settings of the browser.' }),
  colors: z.strictObject({
    accent: color.meta({ description: 'Seek bar, focus and buttons.' }),
    background: color,
    text: color,
  }),
  available_resolutions: resolutions.meta({
    description: 'Short sides in pixels that may be encoded.',
    example: [360, 720],
  }),
  subtitles: z.strictObject({
    enabled_by_default: z.boolean(),
    default_language: language
      .nullable()
      .meta({ description: 'BCP 47; null: the language of the browser.' }),
    size,
  }),
  watermark: z.strictObject({
    enabled: z.boolean().meta({ description: 'Shows the verified viewer id over the video.' }),
    required: z
      .boolean()
      .meta({ description: 'Together with enabled: playback needs a valid vt.' }),
    opacity: z
      .number()
      .refine(isOpacity, 'must be from 0.05 to 1')
      .meta({ description: 'From 0.05 to 1.' }),
    size,
  }),
  concurrent_plays: z.strictObject({
    limit: playsLimit
      .nullable()
      .meta({ description: 'Plays of one verified viewer at the same time, 1 to 20; null: any.' }),
    winner: playWinner.meta({
      description: 'Which plays go on when there are more than the limit.',
    }),
  }),
  end_screen: z.strictObject({
    action: endAction.meta({
      description:
        'What the player offers at the end: to replay, to replay or follow a link, or nothing.',
    }),
    link_url: endLink.nullable().meta({
      description: 'Opens in a new tab; null with the action link: only to replay.',
      example: 'https://www.example.com/next-lesson',
    }),
    link_text: endLinkText.nullable().meta({ description: 'Null: the host of link_url.' }),
  }),
  allowed_domains: domains('Hosts that may embed; empty: every host.'),
  blocked_domains: domains('Hosts that may not embed; takes precedence over allowed_domains.'),
  app_only_l3: z
    .boolean()
    .meta({ description: 'Multi-DRM plans: refuses browsers without hardware DRM.' }),
  keep_original: z.boolean().meta({ description: 'Whether the uploaded file is kept.' }),
  import_chapters_and_captions: z.boolean().meta({
    description: 'Whether chapters and text subtitles of the source become those of the video.',
  }),
  normalize_loudness: z.boolean().meta({
    description:
      'Whether the audio of new videos is brought to -16 LUFS (EBU R 128), by one gain for each track.',
  }),
  direct_play: z.boolean().meta({ description: 'Whether each video has a separate page.' }),
}

/**
 * An account's player settings (contract, "Player settings"). Refuses unknown names, writes host names as browsers
 * send them, and keeps each resolution once, in order.
 */
export const playerSettingsSchema: z.ZodType<PlayerSettings> = z.strictObject(settings)

/** The player settings object: read-only in the API, because the operator changes it. */
export const playerSettingsObjectSchema = z
  .strictObject({ object: z.literal('player_settings'), ...settings })
  .meta({ id: 'PlayerSettings' })

/** The player settings object. */
export const playerSettingsView = (
  stored: PlayerSettings,
): z.output<typeof playerSettingsObjectSchema> => ({ object: 'player_settings', ...stored })

/** Names of the settings, as the audit log shows them. */
export const SETTING_NAMES = Object.keys(settings)

const version = z
  .int()
  .min(1)
  .meta({ description: 'Grows with each change; a save of an older version is refused.' })

/** The player settings with their version, as the dashboard edits them. */
export const versionedSettingsSchema = z
  .strictObject({ object: z.literal('settings'), version, ...settings })
  .meta({ id: 'Settings' })

/** The player settings with their version. */
export const versionedSettingsView = ({
  settings: stored,
  version: number,
}: VersionedSettings): z.output<typeof versionedSettingsSchema> => ({
  object: 'settings',
  version: number,
  ...stored,
})

/** A change: the version that it starts from and the settings that change, in groups one by one. */
export const settingsChangeSchema = z.strictObject({
  version,
  ...z.object(settings).partial().shape,
  colors: settings.colors.partial().optional(),
  subtitles: settings.subtitles.partial().optional(),
  watermark: settings.watermark.partial().optional(),
  concurrent_plays: settings.concurrent_plays.partial().optional(),
  end_screen: settings.end_screen.partial().optional(),
})
