/** Colours with enough contrast (WCAG 2.2: 4.5 to 1 for text, 3 to 1 for controls). */
export interface ReadableColors {
  text: string
  accent: string
  /** Background of the controls. */
  surface: string
  /** Drawn on the accent colour, such as the icon of the big play button. */
  onAccent: string
}

const TEXT_CONTRAST = 4.5
/** Of a text colour that has to be changed anyway: just enough looks like a disabled button. */
const CHANGED_TEXT_CONTRAST = 7
const CONTROL_CONTRAST = 3

const SURFACES = { dark: '#101319', light: '#f7f8fa' } as const

/** How much of the picture shines through the scrim behind the controls (`style/controls.css`). */
const PICTURE_SHARE = 0.2

/** Returns what lies behind the controls in the worst picture: white on a dark surface, black on a light one. */
export const backdropOf = (theme: 'dark' | 'light'): string =>
  mix(parse(SURFACES[theme]) ?? [], theme === 'dark' ? [255, 255, 255] : [0, 0, 0], PICTURE_SHARE)

/**
 * Returns the account's colours for the surface of a theme. A colour with too little contrast is mixed
 * with white or black until it has enough. An invalid colour becomes white or black.
 */
export function readableColors(
  colors: { text: string; accent: string },
  theme: 'dark' | 'light',
): ReadableColors {
  const surface = SURFACES[theme]
  const backdrop = backdropOf(theme)
  const accent = readable(colors.accent, backdrop, CONTROL_CONTRAST)
  return {
    surface,
    accent,
    text:
      contrastOf(colors.text, backdrop) >= TEXT_CONTRAST
        ? colors.text
        : readable(colors.text, backdrop, CHANGED_TEXT_CONTRAST),
    onAccent: contrast('#ffffff', accent) >= contrast('#000000', accent) ? '#ffffff' : '#000000',
  }
}

function readable(color: string, backdrop: string, minContrast: number): string {
  const target = luminance(backdrop) < 0.5 ? '#ffffff' : '#000000'
  const from = parse(color)
  if (!from) return target
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(from, parse(target) ?? from, share)
    if (contrast(mixed, backdrop) >= minContrast) return mixed
  }
  return target
}

/** The contrast of a colour that may be invalid; then 0. */
const contrastOf = (color: string, backdrop: string): number =>
  parse(color) ? contrast(color, backdrop) : 0

/** Returns the contrast of two `#rrggbb` colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(first: string, second: string): number {
  const [light, dark] = [luminance(first), luminance(second)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** Red, green and blue, 0 to 255. */
type Rgb = number[]

function parse(color: string): Rgb | null {
  const hex = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(color.trim())?.[1]
  if (hex === undefined) return null
  const full = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex
  return [0, 2, 4].map((start) => Number.parseInt(full.slice(start, start + 2), 16))
}

const mix = (from: Rgb, to: Rgb, share: number): string =>
  `#${from
    .map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`

function luminance(color: string): number {
  const [red, green, blue] = (parse(color) ?? [0, 0, 0]).map((value) => {
    const share = value / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
