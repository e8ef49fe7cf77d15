import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { DEFAULT_PLAYER_SETTINGS } from '../domain/player-settings.ts'
import type { PlayerSettings } from '../domain/player-settings.ts'

const color = z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'a colour such as #4f8cff')
const size = z.enum(['small', 'medium', 'large'])

/** Host names as browsers send them: lowercase, and punycode where they are not ASCII. */
const domain = z
  .string()
  .transform((text) => {
    const [, wildcard = '', host = ''] = /^(\*\.)?(.*)$/s.exec(text.trim()) ?? []
    return wildcard + domainToASCII(host)
  })
  .pipe(
    z
      .string()
      .max(255)
      .regex(
        /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
        'host names such as a.example or *.a.example, without scheme, port or path',
      ),
  )
const domains = z.array(domain).max(1000)

const resolutions = DEFAULT_PLAYER_SETTINGS.available_resolutions
const resolution = z
  .number()
  .refine((side) => resolutions.includes(side), `short sides among ${resolutions.join(', ')}`)

const settingsSchema = z.strictObject({
  theme: z.enum(['dark', 'light', 'auto']),
  colors: z.strictObject({ accent: color, background: color, text: color }),
  available_resolutions: z
    .array(resolution)
    .min(1, 'at least one short side')
    .transform((sides) => [...new Set(sides)].toSorted((a, b) => a - b)),
  subtitles: z.strictObject({
    enabled_by_default: z.boolean(),
    default_language: z
      .string()
      .regex(/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i, 'a BCP 47 language such as en or pt-BR, or null')
      .nullable(),
    size,
  }),
  watermark: z.strictObject({
    enabled: z.boolean(),
    required: z.boolean(),
    // A watermark nobody can see would protect nothing.
    opacity: z.number().min(0.05).max(1),
    size,
  }),
  allowed_domains: domains,
  blocked_domains: domains,
  app_only_l3: z.boolean(),
  keep_original: z.boolean(),
  direct_play: z.boolean(),
})

/** What an account's player settings may be; unknown names are refused. */
export const playerSettingsSchema: z.ZodType<PlayerSettings> = settingsSchema

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
