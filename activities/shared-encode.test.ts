import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execa } from 'execa'
import { planLadder } from '../domain/ladder.ts'
import type { Rung } from '../domain/ladder.ts'
import { probeSource } from '../media/probe-source.ts'
import type { SourceFacts } from '../domain/source-facts.ts'
import { createSharedEncode } from './shared-encode.ts'

let folder: string
const sources: Record<string, { path: string; facts: SourceFacts }> = {}
const rungs = planLadder({ width: 1280, height: 720, availableResolutions: [360, 480, 720] })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-shared-'))
  for (const [name, seconds] of Object.entries({ long: 20, short: 1 })) {
    const path = join(folder, `${name}.mp4`)
    const picture = ['-f', 'lavfi', '-i', `testsrc2=s=1280x720:r=30:d=${seconds}`]
    await execa('ffmpeg', ['-loglevel', 'error', ...picture, '-preset', 'ultrafast', path])
    sources[name] = { path, facts: await probeSource(path, new AbortController()) }
  }
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function request(name: string, rung: Rung | undefined, controller = new AbortController()) {
  const source = sources[name]
  if (!rung || !source) throw new Error('there is no such rung or source')
  return {
    sourcePath: source.path,
    facts: source.facts,
    rung,
    outputPath: join(folder, `${name}-${rung.name}-${crypto.randomUUID()}.mp4`),
    isUrgent: rung === rungs[0],
    signal: controller.signal,
    onProgress: () => undefined,
  }
}

const encoders = async (): Promise<string[]> => {
  const { stdout } = await execa('pgrep', ['-fa', `ffmpeg.*${folder}`], { reject: false })
  return stdout.split('\n').filter(Boolean)
}

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('rungs that are encoded on one machine', () => {
  it('of one source share one encoder, and each gets its own file', async () => {
    const encode = createSharedEncode(1)
    const requests = rungs.slice(1).map((rung) => request('short', rung))
    await Promise.all(requests.map(encode))
    for (const { outputPath } of requests) expect((await stat(outputPath)).size).toBeGreaterThan(0)
  })

  it('make a new video playable during the encode of a long one, with priority for the processor', async () => {
    const encode = createSharedEncode(1)
    const done: string[] = []
    const controller = new AbortController()
    const long = encode(request('long', rungs[2], controller)).then(
      () => done.push('long'),
      () => done.push('long stopped'),
    )
    await until(async () => (await encoders()).length === 1)
    const pid = Number((await encoders())[0]?.split(' ')[0])
    const { stdout: nice } = await execa('ps', ['-o', 'ni=', '-p', String(pid)])
    expect(Number(nice)).toBe(10)
    await encode(request('short', rungs[0])).then(() => done.push('short'))
    controller.abort()
    await long
    expect(done).toEqual(['short', 'long stopped'])
    await until(async () => (await encoders()).length === 0)
  })

  it('lose their encoder when the last of them is cancelled, and not before', async () => {
    const encode = createSharedEncode(1)
    const [first, second] = [new AbortController(), new AbortController()]
    const works = [
      encode(request('long', rungs[1], first)),
      encode(request('long', rungs[2], second)),
    ]
    const ends = Promise.allSettled(works)
    await until(async () => (await encoders()).length === 1)
    first.abort()
    await expect(works[0]).rejects.toThrow()
    expect(await encoders()).toHaveLength(1)
    second.abort()
    await ends
    await until(async () => (await encoders()).length === 0)
  })

  it('report progress while they wait, as long as the running encoder does, and not while it hangs', async () => {
    const encode = createSharedEncode(1)
    const controller = new AbortController()
    const running = encode(request('long', rungs[1], controller))
    await until(async () => (await encoders()).length === 1)
    let lastBeatMs = 0
    const onProgress = () => void (lastBeatMs = performance.now())
    const waiting = encode({ ...request('short', rungs[1], controller), onProgress })
    const ends = Promise.allSettled([running, waiting])
    await until(async () => lastBeatMs > 0)
    const pid = Number((await encoders())[0]?.split(' ')[0])
    process.kill(pid, 'SIGSTOP')
    const stoppedMs = performance.now()
    // Three times the interval of ffmpeg's reports.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(lastBeatMs - stoppedMs).toBeLessThan(1_000)
    controller.abort()
    await ends
    await until(async () => (await encoders()).length === 0)
  })
})
