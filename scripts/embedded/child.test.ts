import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { startChild } from './child.ts'
import { startGuard } from './guard.ts'

it('a process is ready once it has written so, also if it writes much more before it is looked at', async () => {
  const guard = startGuard()
  const script = `process.stdout.write('it is rea'); setTimeout(() => {
    process.stdout.write('dy now\\n' + 'x'.repeat(100_000)); setInterval(() => {}, 1000) }, 50)`
  const log = new PassThrough()
  let written = 0
  log.on('data', (chunk: Buffer) => (written += chunk.length))
  const options = { program: process.execPath, args: ['-e', script], log, guard }
  const child = startChild({ ...options, readyWords: 'it is ready' })
  await waitFor('its output', async () => written > 100_000)
  expect(child.hasWrittenReady()).toBe(true)
  await child.stop()
  await guard.endAll()
})

it('the last output of a process is known when it has ended', async () => {
  const guard = startGuard()
  const log = new PassThrough().resume()
  const script = 'head -c 60000 /dev/zero | tr "\\0" x; echo the reason >&2; exit 1'
  const children = Array.from({ length: 20 }, () =>
    startChild({ program: '/bin/sh', args: ['-c', script], log, guard }),
  )
  for (const child of children) {
    expect(await child.ended).toBe('status 1')
    expect(child.lastLines()).toContain('the reason')
  }
  await guard.endAll()
})
