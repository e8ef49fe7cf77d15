import { LINE_HEIGHT, linesOf, percentText, readSettings, TIMES } from './cue-settings.ts'

/** Where a region lies, in percent of the picture. */
interface Region {
  left: number
  bottom: number
  width: number
}

/** A cue in a region. */
interface RegionCue {
  region: Region
  /** Seconds. */
  start: number
  end: number
  lines: number
  align: string
  /** In percent of the region. */
  position: number
}

/**
 * Replaces the regions of a WebVTT file ("Regions") by places of its cues. Cues stand at the bottom of their region, and those
 * that are shown at the same time above each other.
 */
export function placeRegions(blocks: readonly string[]): string[] {
  const regions = new Map(blocks.flatMap(regionOf))
  const cues = blocks.map((block) => cueOf(block, regions))
  return blocks.map((block, index) => {
    const cue = cues[index]
    if (!cue) return block
    const settings = settingsOf(cue, linesBelow(cue, cues.slice(index + 1)))
    return block.replace(TIMES, (_, times: string) => `${times} ${settings}`)
  })
}

const percent = (text: string | undefined, other: number): number => {
  const read = Number.parseFloat(text ?? '')
  return Number.isFinite(read) ? Math.min(100, Math.max(0, read)) : other
}

function regionOf(block: string): [id: string, region: Region][] {
  if (!/^REGION[ \t]*\n/.test(block)) return []
  const settings = readSettings(block)
  const width = percent(settings.get('width'), 100)
  const height = (Number.parseInt(settings.get('lines') ?? '', 10) || 3) * LINE_HEIGHT
  const [anchorX, anchorY] = (settings.get('regionanchor') ?? '').split(',')
  const [x, y] = (settings.get('viewportanchor') ?? '').split(',')
  const left = percent(x, 0) - (width * percent(anchorX, 0)) / 100
  const bottom = percent(y, 100) + height * (1 - percent(anchorY, 100) / 100)
  return [[settings.get('id') ?? '', { left, bottom, width }]]
}

/** Returns a cue that is in a region: one without a line, size or direction of its own. Null for all others. */
function cueOf(block: string, regions: ReadonlyMap<string, Region>): RegionCue | null {
  const [, times = '', rest = ''] = TIMES.exec(block) ?? []
  const settings = readSettings(rest)
  const region = regions.get(settings.get('region') ?? '')
  if (!region || ['line', 'size', 'vertical'].some((name) => settings.has(name))) return null
  const [start = 0, end = 0] = times.split('-->').map(toSeconds)
  const align = settings.get('align') ?? 'center'
  const position = percent(settings.get('position'), POSITIONS[align] ?? 50)
  return { region, start, end, align, position, lines: linesOf(block) }
}

/** Where a cue stands that does not say it, in percent. */
const POSITIONS: Readonly<Record<string, number>> = { start: 0, left: 0, end: 100, right: 100 }

const toSeconds = (time: string): number =>
  time
    .trim()
    .split(':')
    .reduce((sum, part) => sum * 60 + Number.parseFloat(part), 0)

/** Counts the lines of the later cues that come into the region while a cue is shown. */
function linesBelow(cue: RegionCue, later: readonly (RegionCue | null)[]): number {
  let lines = 0
  for (const other of later) {
    if (other && other.start >= cue.end) break
    if (other?.region === cue.region) lines += other.lines
  }
  return lines
}

function settingsOf({ region, lines, align, position }: RegionCue, below: number): string {
  const line = percentText(region.bottom - (lines + below) * LINE_HEIGHT)
  const x = percentText(region.left + (region.width * position) / 100)
  return `line:${line} position:${x} size:${percentText(region.width)} align:${align}`
}
