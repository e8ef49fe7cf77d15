import type { Memory } from '../memory.ts'
import { followCaptionPlace } from './caption-place.ts'

/** What a viewer can choose about captions. The first value of each list is the default. */
export const CAPTION_CHOICES = {
  size: ['site', 'small', 'medium', 'large', 'huge'],
  color: ['white', 'yellow', 'green', 'cyan', 'blue', 'magenta', 'red', 'black'],
  background: ['dark', 'black', 'white', 'none'],
  edge: ['none', 'outline', 'shadow'],
  font: ['sans', 'serif', 'mono'],
  position: ['bottom', 'top'],
} as const

export type CaptionStyle = {
  [Name in keyof typeof CAPTION_CHOICES]: (typeof CAPTION_CHOICES)[Name][number]
}

export const CAPTION_ASPECTS = [
  'size',
  'color',
  'background',
  'edge',
  'font',
  'position',
] as const satisfies readonly (keyof CaptionStyle)[]

const REMEMBERED = 'caption-style'

const SIZES = { site: null, small: '0.8em', medium: '1em', large: '1.35em', huge: '1.9em' }
const COLORS: Record<CaptionStyle['color'], string> = {
  white: '#fff',
  yellow: '#ff0',
  green: '#3f3',
  cyan: '#0ff',
  blue: '#33f',
  magenta: '#f3f',
  red: '#f33',
  black: '#000',
}
const BACKGROUNDS: Record<CaptionStyle['background'], string> = {
  dark: 'rgb(0 0 0 / 78%)',
  black: '#000',
  white: '#fff',
  none: 'transparent',
}
const FONTS: Record<CaptionStyle['font'], string> = {
  sans: 'system-ui, sans-serif',
  serif: 'serif',
  mono: 'monospace',
}
/** Colours on which a dark edge could not be seen. */
const DARK_COLORS: readonly CaptionStyle['color'][] = ['blue', 'black']

/** Returns the declarations that give a text this style. The account's size (`site`) needs none. */
export function declarationsOf(style: CaptionStyle): string {
  const size = SIZES[style.size]
  const declarations = {
    color: COLORS[style.color],
    'background-color': BACKGROUNDS[style.background],
    'font-family': FONTS[style.font],
    'text-shadow': edgeOf(style),
    ...(size === null ? {} : { 'font-size': size }),
  }
  return Object.entries(declarations)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ')
}

function edgeOf({ edge, color }: CaptionStyle): string {
  const shade = DARK_COLORS.includes(color) ? '#fff' : '#000'
  if (edge === 'shadow') return `0.06em 0.06em 0.12em ${shade}, 0 0 0.3em ${shade}`
  if (edge === 'none') return 'none'
  const around = ['0.06em 0', '-0.06em 0', '0 0.06em', '0 -0.06em']
  return around.map((offset) => `${offset} 0.02em ${shade}`).join(', ')
}

/** Returns the style that the text stands for: unknown or missing parts are the defaults. */
export function parseCaptionStyle(text: string | null): CaptionStyle {
  const read: unknown = parse(text)
  const values = new Map<string, unknown>(
    typeof read === 'object' && read !== null ? Object.entries(read) : [],
  )
  const chosen = <T extends string>(name: string, choices: readonly [T, ...T[]]): T =>
    choices.find((choice) => choice === values.get(name)) ?? choices[0]
  return {
    size: chosen('size', CAPTION_CHOICES.size),
    color: chosen('color', CAPTION_CHOICES.color),
    background: chosen('background', CAPTION_CHOICES.background),
    edge: chosen('edge', CAPTION_CHOICES.edge),
    font: chosen('font', CAPTION_CHOICES.font),
    position: chosen('position', CAPTION_CHOICES.position),
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** The viewer's style, which is kept for other videos. */
export interface KeptCaptionStyle {
  get(): CaptionStyle
  /** Applies and keeps a style. */
  set(style: CaptionStyle): void
  /** Moves the captions of a track, whose cues have loaded, to the chosen place. */
  place(track: TextTrack): void
}

/** Applies the viewer's style to the captions of the page's video. */
export function keepCaptionStyle(memory: Memory, tracks: readonly TextTrack[]): KeptCaptionStyle {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  let style = parseCaptionStyle(memory.read(REMEMBERED))
  const moved = new WeakSet<TextTrackCue>()
  const followPlace = followCaptionPlace(tracks)
  const place = (track: TextTrack): void => {
    for (const cue of track.cues ?? []) placeCue(cue, style.position, moved)
    followPlace()
  }
  const apply = (): void => {
    sheet.replaceSync(`.player video::cue { ${declarationsOf(style)} }`)
    for (const track of tracks) place(track)
  }
  apply()
  return {
    get: () => style,
    set(chosen) {
      style = chosen
      memory.write(REMEMBERED, JSON.stringify(style))
      apply()
    },
    place,
  }
}

/** Cues for which the file has chosen a place keep it. */
function placeCue(
  cue: TextTrackCue,
  position: CaptionStyle['position'],
  moved: WeakSet<TextTrackCue>,
): void {
  if (!(cue instanceof VTTCue)) return
  if (position === 'top' && cue.line === 'auto') {
    moved.add(cue)
    cue.line = 0
  } else if (position === 'bottom' && moved.delete(cue)) cue.line = 'auto'
}
