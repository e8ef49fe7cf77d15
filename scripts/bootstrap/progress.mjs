// Progress of parts that run in parallel: lines that update in place on a terminal, plain lines elsewhere.
import { AsyncLocalStorage } from 'node:async_hooks'

const PLAIN_AFTER_MS = 1_500
const REMINDER_MS = 15_000
/** Shorter parts appear on no terminal. */
const DRAWN_AFTER_MS = 300
const FRAME_MS = 100
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const BAR_WIDTH = 20
/** Narrower terminals show a percentage. */
const BAR_FROM_COLUMNS = 60
const DEFAULT_COLUMNS = 80
const DEFAULT_ROWS = 24
const ERASE_DOWN = '\u001b[J'
const colour = (code, text) => `\u001b[${code}m${text}\u001b[39m`
const cyan = (text) => colour(36, text)
const green = (text) => colour(32, text)
const red = (text) => colour(31, text)

/** Returns the progress report on a stream: in place if `isInteractive`, otherwise in plain lines. */
export function createProgress(stream, isInteractive) {
  const parts = new AsyncLocalStorage()
  const display = isInteractive ? linesInPlace(stream) : plainLines(stream)
  return {
    /** Writes a line, above the lines that update. */
    say: (line) => display.say(line),

    /** Removes the lines of unfinished parts. */
    clear: () => display.clear(),

    /** Runs `work` and shows `title` and the elapsed time until it ends. */
    async withProgress(title, work) {
      const part = { title, startedAt: Date.now(), bytes: null }
      display.begin(part)
      let isDone = false
      try {
        const result = await parts.run(part, work)
        isDone = true
        return result
      } finally {
        display.end(part, isDone)
      }
    },

    /** Shows a bar for the part that calls it, until `done` equals `total`. */
    reportBytes(done, total) {
      const part = parts.getStore()
      if (part) part.bytes = total > 0 && done < total ? { done, total } : null
    },
  }
}

const elapsedMs = (part) => Date.now() - part.startedAt
const secondsOf = (part) => `(${Math.round(elapsedMs(part) / 1000)} s)`

function plainLines(stream) {
  const timers = new Map()
  const announced = new Set()
  const say = (line) => stream.write(`${line}\n`)
  return {
    say,
    clear() {},
    begin(part) {
      const announce = setTimeout(() => {
        announced.add(part)
        say(`  … ${part.title}`)
      }, PLAIN_AFTER_MS)
      const reminder = setInterval(() => say(`  … ${part.title} ${secondsOf(part)}`), REMINDER_MS)
      timers.set(part, [announce, reminder])
    },
    end(part, isDone) {
      for (const timer of timers.get(part)) clearTimeout(timer)
      if (isDone && announced.has(part)) say(`  ✓ ${part.title} ${secondsOf(part)}`)
    },
  }
}

function linesInPlace(stream) {
  const active = new Set()
  let drawn = 0
  let timer = null
  const erase = () => (drawn === 0 ? '' : `\u001b[${drawn}A\r${ERASE_DOWN}`)
  const columns = () => stream.columns || DEFAULT_COLUMNS

  /** Replaces the lines of the active parts, with `above` before them. */
  function draw(above = '') {
    const shown = [...active]
      .filter((part) => elapsedMs(part) >= DRAWN_AFTER_MS)
      .slice(0, Math.max(1, (stream.rows || DEFAULT_ROWS) - 1))
    const before = erase()
    drawn = shown.length
    stream.write(before + above + shown.map((part) => `${activeLine(part, columns())}\n`).join(''))
  }
  return {
    say: (line) => draw(`${line}\n`),
    clear() {
      stream.write(erase())
      drawn = 0
    },
    begin(part) {
      active.add(part)
      timer ??= setInterval(draw, FRAME_MS)
    },
    end(part, isDone) {
      active.delete(part)
      const sign = isDone ? green('✓') : red('✗')
      const line = `  ${sign} ${fitted(part.title, ` ${secondsOf(part)}`, columns())}\n`
      draw(elapsedMs(part) >= DRAWN_AFTER_MS ? line : '')
      if (active.size > 0) return
      clearInterval(timer)
      timer = null
    },
  }
}

function activeLine(part, columns) {
  const frame = SPINNER[Math.floor(Date.now() / FRAME_MS) % SPINNER.length]
  const tail = part.bytes ? barOf(part.bytes, columns) : ` ${secondsOf(part)}`
  return `  ${cyan(frame)} ${fitted(part.title, tail, columns)}`
}

function barOf({ done, total }, columns) {
  if (columns < BAR_FROM_COLUMNS) return ` ${Math.floor((done / total) * 100)} %`
  const full = Math.floor((done / total) * BAR_WIDTH)
  const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
  const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full)
  return `  ${bar} ${megabytes(done)} of ${megabytes(total)} MB`
}

/** Returns title and tail in at most one line: a line that wraps could not be replaced. */
function fitted(title, tail, columns) {
  // The sign takes four columns, and some terminals wrap when the last one is used.
  const width = Math.max(0, columns - 5)
  const room = width - tail.length
  const whole =
    title.length <= room ? title + tail : `${title.slice(0, Math.max(0, room - 1))}…${tail}`
  return whole.slice(0, width)
}
