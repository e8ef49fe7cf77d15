import { describe, expect, it } from 'vitest'
import { CliError } from './errors.ts'
import { createOutput, jsonText, printableLines } from './output.ts'
import { errorText } from './program.ts'

/** Clears the screen, as a title, a key of a bucket or the message of a server may want to. */
const HOSTILE = 'one\u001B[2J\u009B2J\r\u202Etwo\nthree'
const HARMLESS = 'one\uFFFD[2J\uFFFD2J\uFFFD\uFFFDtwo\nthree'

describe('what others have written', () => {
  it('does not control the terminal from an error', () => {
    const failure = new CliError(HOSTILE, { code: 'service_unavailable' })
    expect(errorText(failure, false)).toBe(`reelgate: ${HARMLESS}\n`)
    const json = errorText(failure, true)
    expect(json).toMatch(/^[\n -~]*$/)
    expect(JSON.parse(json)).toMatchObject({ error: { message: HOSTILE } })
  })

  it('does not control the terminal from a result, a note or the progress', () => {
    const written: string[] = []
    const write = (text: string) => void written.push(text)
    const out = createOutput(false, write, write, { columns: 80 })
    out.print({}, HOSTILE)
    out.note(HOSTILE)
    out.draw(HOSTILE)
    const erase = '\r\u001B[2K'
    const line = HARMLESS.replace('\n', '\uFFFD')
    expect(written).toEqual([`${HARMLESS}\n`, `${HARMLESS}\n`, `${erase}${line}`])
  })

  it('stays what it is in JSON, and does not control the terminal from there', () => {
    const value = { text: `${HOSTILE}\u{E0001}👩\u200D🔬` }
    for (const indent of [undefined, 2]) {
      const text = jsonText(value, indent)
      expect(JSON.parse(text)).toEqual(value)
      expect(printableLines(text)).toBe(text)
    }
  })
})
