import { z } from 'zod'

const color = z.string().meta({ example: '#4f8cff' })
const size = z.enum(['small', 'medium', 'large'])
const domains = (description: string) =>
  z.array(z.string()).meta({ description, example: ['www.example.com', '*.example.org'] })

/** The player settings object (spec, "Other records"): read-only here, changed by the operator. */
export const playerSettingsSchema = z
  .strictObject({
    object: z.literal('player_settings'),
    theme: z.enum(['dark', 'light', 'auto']).meta({ description: 'auto follows the viewer.' }),
    colors: z.strictObject({
      accent: color.meta({ description: 'Seek bar, focus and buttons.' }),
      background: color,
      text: color,
    }),
    available_resolutions: z
      .array(z.int())
      .meta({ description: 'Short sides in pixels that may be encoded.', example: [360, 720] }),
    subtitles: z.strictObject({
      enabled_by_default: z.boolean(),
      default_language: z
        .string()
        .nullable()
        .meta({ description: 'BCP 47; null: the language of the viewer.' }),
      size,
    }),
    watermark: z.strictObject({
      enabled: z.boolean().meta({ description: 'Shows the verified viewer id over the picture.' }),
      required: z
        .boolean()
        .meta({ description: 'With enabled: nothing plays without a valid vt.' }),
      opacity: z.number().meta({ description: 'From 0.05 to 1.' }),
      size,
    }),
    allowed_domains: domains('Hosts that may embed; empty: every host.'),
    blocked_domains: domains('Hosts that may not embed, whatever is allowed.'),
    app_only_l3: z
      .boolean()
      .meta({ description: 'Multi-DRM plans: browsers without hardware DRM are not played.' }),
    keep_original: z.boolean().meta({ description: 'Whether the uploaded file is kept.' }),
    direct_play: z.boolean().meta({ description: 'A page of its own for each video.' }),
  })
  .meta({ id: 'PlayerSettings' })
