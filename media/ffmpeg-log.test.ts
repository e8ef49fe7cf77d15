import { describe, expect, it } from 'vitest'
import { readLog } from './ffmpeg-log.ts'

describe('a line of the log', () => {
  it.each([
    ['[error] Error opening input', 'Error opening input'],
    ['[mp4 @ 0x55d8] [fatal] broken', '[mp4 @ 0x55d8] broken'],
    ['[fps@count @ 0x1] [mov @ 0x2] [panic] both', '[fps@count @ 0x1] [mov @ 0x2] both'],
    ['[mp4 @ 0x55d8] [warning] odd', null],
    ['[mp4] [error] no component', null],
  ])('%j is shown as %j', (line, shown) => {
    expect(readLog().onLine(line)).toBe(shown)
  })

  it('is read in a moment, however many at signs its components have', () => {
    const { onLine } = readLog()
    onLine('[info] Stream mapping:')
    const startedAt = performance.now()
    expect(onLine(`${`[${' @ '.repeat(20)}] `.repeat(500)}x`)).toBeNull()
    expect(performance.now() - startedAt).toBeLessThan(500)
  })
})
