import { MultiBar, Presets } from 'cli-progress'
import type { SingleBar } from 'cli-progress'

const LABEL_WIDTH = 12
const ERASE_TO_END_OF_LINE = '\u001b[K'

/** What the demo writes: lines, and a bar for each rendition on a terminal. */
export interface Screen {
  /** A line; above the bars while there are any. */
  print(line: string): void
  /** A label and its value, in columns. */
  fact(label: string, value: string): void
  /** Shows how far a rendition is, 0 to 1; on an output that is no terminal, a line at the end. */
  bar(name: string, fraction: number): void
  /** Leaves the bars as they are; what is printed later comes below. */
  endBars(): void
}

/** The screen of this process: its stdout. */
export function createScreen(): Screen {
  let multi: MultiBar | null = null
  const bars = new Map<string, SingleBar>()
  const finished = new Set<string>()
  const print = (line: string): void => {
    if (multi) multi.log(`${line}${ERASE_TO_END_OF_LINE}\n`)
    else console.log(line)
  }
  const fact = (label: string, value: string): void =>
    print(`  ${label.padEnd(LABEL_WIDTH)} ${value}`)
  return {
    print,
    fact,
    bar(name, fraction) {
      if (process.stdout.isTTY) {
        multi ??= openBars()
        const bar = bars.get(name) ?? multi.create(100, 0, { name: name.padEnd(LABEL_WIDTH) })
        bars.set(name, bar)
        bar.update(Math.floor(fraction * 100))
      } else if (fraction === 1 && !finished.has(name)) {
        finished.add(name)
        fact(name, 'encoded, encrypted, stored')
      }
    },
    endBars() {
      // Writes the lines that wait, which `stop` does not.
      multi?.update()
      multi?.stop()
      multi = null
    },
  }
}

const openBars = (): MultiBar =>
  new MultiBar(
    { format: '  {name} {bar} {percentage} %', hideCursor: true },
    Presets.shades_classic,
  )
