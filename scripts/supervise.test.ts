import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { until } from '../test/infrastructure/wait-for.ts'
import { startChild, type Child } from './embedded/child.ts'
import { startGuard } from './embedded/guard.ts'
import { supervise } from './supervise.ts'

const guard = startGuard()
const log = new Writable({ write: (_chunk, _encoding, done) => done() })
const sleeper = () => startChild({ program: 'sleep', args: ['60'], log, guard })

describe('a supervised process', () => {
  it('restarts when it ends or fails to start, until it is stopped', async () => {
    const started: Child[] = []
    const lines: string[] = []
    const start = async () => {
      if (started.length === 1 && lines.length === 1) throw new Error('no room')
      const child = sleeper()
      started.push(child)
      return child
    }
    const supervised = await supervise('thing', start, (line) => lines.push(line))
    process.kill(started[0]!.pid, 'SIGKILL')
    while (started.length < 2) await sleep(50)
    expect(lines).toEqual([
      'thing ended with signal SIGKILL: starting it again in 0.5 s',
      'thing ended with no room: starting it again in 1 s',
    ])
    await supervised.stop()
    expect(await started[1]!.ended).toBe('signal SIGTERM')
    expect(started).toHaveLength(2)
  })

  it('rejects if its first start fails', async () => {
    const start = () => Promise.reject(new Error('no room'))
    await expect(supervise('thing', start, () => {})).rejects.toThrow('no room')
  })

  it('stops a process that it is starting again', async () => {
    const starts: PromiseWithResolvers<Child>[] = []
    const start = () => {
      const next = Promise.withResolvers<Child>()
      if (starts.push(next) === 1) next.resolve(sleeper())
      return next.promise
    }
    const supervised = await supervise('thing', start, () => {})
    process.kill((await starts[0]!.promise).pid, 'SIGKILL')
    await until(() => starts.length === 2)
    const stopped = supervised.stop()
    const child = sleeper()
    starts[1]!.resolve(child)
    await stopped
    expect(child.end()).toBe('signal SIGTERM')
  })

  it('stops immediately during a pause', async () => {
    const lines: string[] = []
    const start = () => Promise.resolve(startChild({ program: 'false', args: [], log, guard }))
    const supervised = await supervise('thing', start, (line) => lines.push(line))
    while (lines.length < 3) await sleep(50)
    const startedAt = Date.now()
    await supervised.stop()
    // The pause would last two seconds.
    expect(Date.now() - startedAt).toBeLessThan(1_900)
  })
})
