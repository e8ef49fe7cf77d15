import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createProgress } from './progress.mjs'

/** A terminal that understands the sequences of the progress, and wraps lines as real ones do. */
function terminal({ columns, rows = 24 }: { columns: number; rows?: number }) {
  const lines = ['']
  let at = 0
  let written = ''
  const put = (text: string) => {
    for (const character of text) {
      if (character === '\n') at += 1
      else if (character !== '\r') {
        if ((lines[at] ?? '').length >= columns) at += 1
        lines[at] = (lines[at] ?? '') + character
      }
      lines[at] ??= ''
    }
  }
  const write = (text: string) => {
    written += text
    // With a visible sign for ESC.
    for (const piece of text.replaceAll('\u001b', '␛').split(/(␛\[\d*[A-Zm])/)) {
      const up = /^␛\[(\d+)A$/.exec(piece)
      if (up) at -= Number(up[1])
      else if (piece === '␛[J') lines.splice(at, lines.length, '')
      else if (!piece.startsWith('␛')) put(piece)
    }
  }
  const shown = () => lines.filter((line) => line !== '')
  return { columns, rows, write, shown, written: () => written }
}

/** Resolves once `condition` holds. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10)
}

const signal = () => Promise.withResolvers<void>()

describe('the progress on a terminal', () => {
  it('has a line that updates for each part, and keeps the finished ones with their seconds', async () => {
    const screen = terminal({ columns: 80 })
    const progress = createProgress(screen, true)
    const [first, second] = [signal(), signal()]
    const parts = [
      progress.withProgress('first part', () => first.promise),
      progress.withProgress('second part', () => second.promise),
    ]
    await until(() => screen.shown().length === 2)
    expect(screen.shown()[0]).toMatch(/^ {2}[⠀-⣿] first part \(\d+ s\)$/)
    second.resolve()
    await parts[1]
    expect(screen.shown()[0]).toMatch(/^ {2}✓ second part \(\d+ s\)$/)
    expect(screen.shown()[1]).toMatch(/^ {2}[⠀-⣿] first part/)
    progress.say('a note')
    first.resolve()
    await parts[0]
    expect(screen.shown().map((line) => line.replace(/\d+ s/, 'N s'))).toEqual([
      '  ✓ second part (N s)',
      'a note',
      '  ✓ first part (N s)',
    ])
  })

  it('has a bar while the bytes of a part arrive', async () => {
    const screen = terminal({ columns: 80 })
    const progress = createProgress(screen, true)
    const end = signal()
    const part = progress.withProgress('download', async () => {
      progress.reportBytes(11e6, 44e6)
      await end.promise
    })
    await until(() => screen.shown().length === 1)
    expect(screen.shown()[0]).toMatch(/download {2}█{5}░{15} 11 of 44 MB$/)
    end.resolve()
    await part
  })

  it.each([10, 24, 38])('wraps no line on %i columns', async (columns) => {
    const screen = terminal({ columns })
    const progress = createProgress(screen, true)
    const end = signal()
    const title = 'a part with a title that is longer than the terminal is wide'
    const part = progress.withProgress(title, async () => {
      progress.reportBytes(1e6, 44e6)
      await end.promise
    })
    await until(() => screen.shown().length > 0)
    const frames = screen.written().length
    await until(() => screen.written().length > frames * 3)
    expect(screen.shown()).toHaveLength(1)
    end.resolve()
    await part
    expect(screen.shown()).toHaveLength(1)
    expect(screen.shown()[0]?.length).toBeLessThan(columns)
  })

  it('draws no more lines than the terminal has', async () => {
    const screen = terminal({ columns: 80, rows: 4 })
    const progress = createProgress(screen, true)
    const end = signal()
    const parts = Array.from({ length: 6 }, (_, n) =>
      progress.withProgress(`part ${n}`, () => end.promise),
    )
    await until(() => screen.shown().length > 0)
    expect(screen.shown()).toHaveLength(3)
    end.resolve()
    await Promise.all(parts)
    expect(screen.shown()).toHaveLength(6)
  })

  it('marks a failed part, and removes the lines of the others at the end', async () => {
    const screen = terminal({ columns: 80 })
    const progress = createProgress(screen, true)
    const [failing, other] = [signal(), signal()]
    const parts = [
      progress.withProgress('failing part', () => failing.promise),
      progress.withProgress('other part', () => other.promise),
    ]
    await until(() => screen.shown().length === 2)
    failing.reject(new Error('no luck'))
    await expect(parts[0]).rejects.toThrow('no luck')
    progress.clear()
    expect(screen.shown()).toEqual([expect.stringMatching(/^ {2}✗ failing part \(\d+ s\)$/)])
    other.resolve()
    await parts[1]
  })
})

describe('the progress elsewhere', () => {
  it('consists of plain lines about parts that take longer than 1.5 seconds', async () => {
    const screen = terminal({ columns: 80 })
    const progress = createProgress(screen, false)
    const end = signal()
    const part = progress.withProgress('long part', () => end.promise)
    await progress.withProgress('short part', async () => progress.reportBytes(1, 2))
    await until(() => screen.shown().length === 1)
    end.resolve()
    await part
    expect(screen.written()).toMatch(/^ {2}… long part\n {2}✓ long part \(\d+ s\)\n$/)
  })
})
