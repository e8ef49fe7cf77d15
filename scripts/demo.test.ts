import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSource } from '../test/fixtures/sources.ts'
import { itOfAll } from '../test/infrastructure/every-case.ts'
import { processesOf } from '../test/infrastructure/processes.ts'
import { inheritedEnvironment, pinnedNode, projectDir } from './bootstrap/tools.mjs'
import { freeServicePorts } from './embedded/ports.ts'

const TIMEOUT_MS = 300_000
let folder: string
let source: string
let env: NodeJS.ProcessEnv
let started: ChildProcess | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'demo-test-'))
  source = join(folder, 'lesson.mp4')
  await makeSource(source, { seconds: 2, size: '320x240', grain: false })
  env = { ...inheritedEnvironment(), ...(await freeServicePorts()) }
})
afterAll(async () => {
  started?.kill()
  if (started?.exitCode === null) await once(started, 'exit')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
})

/** Runs the demo on one data folder; `output` returns its stdout and stderr so far. */
function startDemo(...args: string[]) {
  const data = join(folder, 'data')
  const options = ['--no-warnings', 'scripts/demo.ts', '--data-dir', data, ...args, source]
  const child = spawn(pinnedNode, options, { cwd: projectDir, env })
  started = child
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exit = once(child, 'exit').then(([status]) => status as number)
  return { child, exit, output: () => output }
}

describe('npm run demo', () => {
  it(
    'shows a video from its link to the player in aligned lines without internal messages',
    async () => {
      const demo = startDemo('--exit')
      expect({ status: await demo.exit, output: demo.output() }).toMatchObject({ status: 0 })
      for (const line of [
        /^ {2}request {6}POST \/v1\/videos, responded with 202: video \w{20}$/m,
        /^ {2}webhook {6}video\.ready, signature verified$/m,
        /^ {2}status {7}\w+ → ready$/m,
        /^ {2}player {7}loads in the page of another site; its segments are encrypted$/m,
        /^ {2}dashboard {4}http:\/\/localhost:\d+\/welcome#[\w-]{43}$/m,
        /^ {2}watch it {5}http:\/\/localhost:\d+\/$/m,
      ])
        expect(demo.output()).toMatch(line)
      expect(demo.output()).not.toMatch(/migrat|SIG|NOT VALID/)
      expect(demo.output()).not.toContain('\n\n\n')
      expect(processesOf(folder)).toEqual([])
    },
    TIMEOUT_MS,
  )

  itOfAll(
    'stops without messages or processes when interrupted, also on a used folder',
    async () => {
      const demo = startDemo()
      while (!demo.output().includes('video.created')) {
        expect(demo.child.exitCode).toBeNull()
        await sleep(50)
      }
      demo.child.kill('SIGINT')
      expect(await demo.exit).toBe(130)
      expect(demo.output()).not.toContain('NOT VALID')
      expect(demo.output()).toMatch(/\nStopping …\n$/)
      expect(processesOf(folder)).toEqual([])
    },
    TIMEOUT_MS,
  )
})
