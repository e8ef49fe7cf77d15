import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as settled } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { openRotatingLog } from './rotating-log.ts'

const dir = mkdtempSync(join(tmpdir(), 'log-test-'))
afterAll(() => rmSync(dir, { recursive: true }))

describe('a rotating log', () => {
  it('never grows over its limit and keeps three older files', () => {
    const log = openRotatingLog(join(dir, 'a.log'), 10)
    for (let round = 1; round <= 6; round++) log.write(Buffer.from(`line ${round}.\n`))
    expect(readdirSync(dir).toSorted()).toEqual(['a.log', 'a.log.1', 'a.log.2', 'a.log.3'])
    expect(readFileSync(join(dir, 'a.log'), 'utf8')).toBe('line 6.\n')
    expect(readFileSync(join(dir, 'a.log.3'), 'utf8')).toBe('line 3.\n')
  })

  it('appends to the file of an earlier process, readable only by the owner', () => {
    openRotatingLog(join(dir, 'b.log')).write(Buffer.from('one\n'))
    openRotatingLog(join(dir, 'b.log')).write(Buffer.from('two\n'))
    expect(readFileSync(join(dir, 'b.log'), 'utf8')).toBe('one\ntwo\n')
    expect(statSync(join(dir, 'b.log')).mode & 0o777).toBe(0o600)
  })

  // Every write to this device fails like a write to a full disk.
  it('drops lines on a full disk without an error', async () => {
    const log = openRotatingLog('/dev/full')
    log.write(Buffer.from('one\n'))
    await settled()
    expect(log.errored).toBeNull()
    expect(log.writable).toBe(true)
  })
})
