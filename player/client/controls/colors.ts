/** Colours in which everything can be read (WCAG 2.2: 4.5 to 1 for text, 3 to 1 for controls). */
export interface ReadableColors {
  text: string
  accent: string
  /** Behind the controls. */
  surface: string
  /** On the accent colour, such as the big play button's sign. */
  onAccent: string
}

const TEXT_CONTRAST = 4.5
const CONTROL_CONTRAST = 3

const SURFACES = { dark: '#101319', light: '#f7f8fa' } as const

/**
 * The account's colours on the surface of the theme. A colour that could not be read there is moved
 * towards white or black just as far as it takes; one that is no colour gives way to the surface's
 * opposite.
 */
export function readableColors(
  colors: { text: string; accent: string },
  theme: 'dark' | 'light',
): ReadableColors {
  const surface = SURFACES[theme]
  const accent = readable(colors.accent, surface, CONTROL_CONTRAST)
  return {
    surface,
    accent,
    text: readable(colors.text, surface, TEXT_CONTRAST),
    onAccent: contrast('#ffffff', accent) >= contrast('#000000', accent) ? '#ffffff' : '#000000',
  }
}

function readable(color: string, surface: string, least: number): string {
  const target = luminance(surface) < 0.5 ? '#ffffff' : '#000000'
  const from = parse(color)
  if (!from) return target
  for (let share = 0; share < 1; share += 0.05) {
    const moved = mix(from, parse(target) ?? from, share)
    if (contrast(moved, surface) >= least) return moved
  }
  return target
}

/** The contrast of two `#rrggbb` colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(first: string, second: string): number {
  const [light, dark] = [luminance(first), luminance(second)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

type Rgb = [number, number, number]

function parse(color: string): Rgb | null {
  const hex = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(color.trim())?.[1]
  if (hex === undefined) return null
  const full = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as Rgb
}

const mix = (from: Rgb, to: Rgb, share: number): string =>
  `#${from
    .map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * share))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`

function luminance(color: string): number {
  const [red, green, blue] = (parse(color) ?? [0, 0, 0]).map((value) => {
    const share = value / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
