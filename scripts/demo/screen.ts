import { MultiBar, Presets, type SingleBar } from 'cli-progress'

const LABEL_WIDTH = 12
const ERASE_TO_END_OF_LINE = '\u001b[K'

/** Output of the demo: lines, and on a terminal a progress bar for each rendition. */
export interface Screen {
  /** Prints a line, above the bars if there are any. */
  print(line: string): void
  /** Prints a label and its value in columns. */
  fact(label: string, value: string): void
  /** Updates the progress of a rendition, 0 to 1. Without a terminal, prints a line at 1. */
  bar(name: string, fraction: number): void
  /** Stops updating the bars; later lines appear below them. */
  endBars(): void
}

/** Creates a Screen on stdout. */
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
      // `stop` does not write pending lines.
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
