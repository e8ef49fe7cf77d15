import { LINE_HEIGHT, linesOf, percentText, readSettings, TIMES } from './cue-settings.ts'
import { placeRegions } from './regions.ts'

/**
 * Writes the places of the cues of a WebVTT file as percentages, for Chromium, which knows no regions and shows no vertical cue
 * whose place is a line. `ratio` is the height of the picture by its width.
 */
export function placeCues(vtt: string, ratio: number): string {
  const blocks = vtt.replaceAll(/\r\n?/g, '\n').split(/\n{2,}/)
  return placeRegions(blocks)
    .map((block) => placeVertical(block, ratio))
    .join('\n\n')
}

/** Lines of a vertical cue are columns. They are counted from the right for `rl`, and negative ones from the other side. */
function placeVertical(block: string, ratio: number): string {
  return block.replace(TIMES, (all, times: string, rest: string) => {
    const settings = readSettings(rest)
    const direction = settings.get('vertical')
    const line = settings.get('line') ?? '-1'
    if (direction === undefined || line.includes('%')) return all
    const first = Number.parseInt(line, 10) || 0
    const isFromRight = (direction === 'rl') === first >= 0
    const columns = first >= 0 ? first : -1 - first
    const left = (isFromRight ? -columns - linesOf(block) : columns) * LINE_HEIGHT * ratio
    settings.set('line', percentText(isFromRight ? 100 + left : left))
    return [times, ...[...settings].map((setting) => setting.join(':'))].join(' ')
  })
}
