import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { planLadder } from '../domain/encoding/ladder.ts'
import {
  encodeVideo,
  EVERY,
  H264,
  picture,
  SEGMENTS,
  setUpMediaFixture,
  signal,
  tone,
} from '../test/fixtures/media-files.ts'
import { encodeAudio } from './encode/encode-audio.ts'
import { makePoster } from './encode/make-poster.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { packageRendition } from './package/package-rendition.ts'
import { probeSource } from './probe/probe-source.ts'
import { runTool } from './run-tool.ts'

const t = setUpMediaFixture()
const STALL_MS = 1_500
const stalled = { name: 'MediaError', code: 'stalled' }

const pidsOf = async (text: string): Promise<number[]> => {
  const { stdout } = await execa('pgrep', ['-f', text], { reject: false })
  return stdout.split('\n').filter(Boolean).map(Number)
}
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50))
}
const shell = (script: string, more = {}) =>
  runTool('sh', ['-c', script], { signal, stallMs: STALL_MS, ...more })

async function makeTestSource() {
  const path = await t.make('lesson.mp4', ...picture('320x240', 5, 4), ...tone(4), ...H264)
  const facts = await probeSource(path, { signal })
  const rungs = planLadder({ width: 320, height: 240, availableResolutions: EVERY })
  return { path, facts, rung: rungs[0]! }
}

// Tests that mostly wait run at the same time.
describe('a tool that hangs', () => {
  it.concurrent('is killed: ffmpeg whose input stops', async () => {
    const path = join(t.folder, 'fifo')
    await execa('sh', ['-c', `mkfifo "${path}"`])
    // Holds the other end open and writes nothing.
    const writer = execa('sh', ['-c', `exec 3<>"${path}"; exec sleep 60`], { reject: false })
    const work = runFfmpeg(['-i', path, '-f', 'null', '-'], { signal, stallMs: STALL_MS })
    await expect(work).rejects.toMatchObject(stalled)
    writer.kill()
    await until(async () => (await pidsOf(`ffmpeg.*${path}`)).length === 0)
  })

  it.concurrent('is killed: ffmpeg that was stopped in the middle', async () => {
    const source = ['-re', ...picture('64x64', 30, 600)]
    let last = 0
    const onProgress = () => void (last = performance.now())
    const outputPath = join(t.folder, 'stopped.mp4')
    const work = runFfmpeg([...source, outputPath], { signal, stallMs: STALL_MS, onProgress })
    const ended = expect(work).rejects.toMatchObject(stalled)
    await until(async () => last > 0)
    const [pid] = await pidsOf(`ffmpeg.*${outputPath}`)
    process.kill(pid ?? 0, 'SIGSTOP')
    const stoppedMs = performance.now()
    await ended
    // Earlier output may still arrive; after that there is no progress.
    expect(last - stoppedMs).toBeLessThan(5_000)
    await until(async () => (await pidsOf(`ffmpeg.*${outputPath}`)).length === 0)
  })

  it('is killed: a repeated report without a change is no progress', async () => {
    const script = join(t.folder, 'bin')
    await execa('mkdir', ['-p', script])
    const report = 'while :; do echo frame=7; echo out_time_us=1000; sleep 0.1; done'
    await execa('sh', ['-c', `printf '#!/bin/sh\n${report}\n' > ffmpeg && chmod +x ffmpeg`], {
      cwd: script,
    })
    const path = process.env.PATH
    process.env.PATH = `${script}:${path}`
    let beats = 0
    const work = runFfmpeg([], { signal, stallMs: STALL_MS, onProgress: () => (beats += 1) })
    process.env.PATH = path
    await expect(work).rejects.toMatchObject(stalled)
    expect(beats).toBe(2)
  })
})

describe('a tool that is slow', () => {
  it.concurrent('continues as long as its report changes', async () => {
    const source = ['-re', ...picture('64x64', 30, 8)]
    // Shorter than the source, and longer than the start of ffmpeg on a busy machine.
    const stallMs = 5_000
    const { exitCode, frames } = await runFfmpeg([...source, '-f', 'null', '-'], {
      signal,
      stallMs,
    })
    expect({ exitCode, frames }).toEqual({ exitCode: 0, frames: 240 })
  })

  it.concurrent('continues without output as long as its files grow', async () => {
    const outputDir = await mkdtemp(join(t.folder, 'growing-'))
    const script = `for i in 1 2 3 4 5 6 7 8; do echo more >> "${outputDir}/file"; sleep 1; done`
    let beats = 0
    const onProgress = () => (beats += 1)
    const work = shell(script, { outputDir, stallMs: 5_000, onProgress })
    expect(await work).toMatchObject({ exitCode: 0 })
    expect(beats).toBeGreaterThan(1)
  })
})

describe('the failure of a tool', () => {
  const full = { name: 'MachineError', message: 'No space left on device' }

  it('is a fault of the machine on a full disk: for the encoders and the poster', async () => {
    const { path, facts, rung } = await makeTestSource()
    const outputs = [{ rung, outputPath: '/dev/full' }]
    const source = { sourcePath: path, facts, signal }
    await expect(encodeVideo({ ...source, outputs })).rejects.toMatchObject(full)
    const track = facts.audio[0]!
    const audio = encodeAudio({ ...source, track, outputPath: '/dev/full' })
    await expect(audio).rejects.toMatchObject(full)
    const { video } = facts
    const poster = { sourcePath: path, video, durationMs: 4_000, outputPath: '/dev/full', signal }
    await expect(makePoster(poster)).rejects.toMatchObject(full)
  })

  it('is a fault of the machine on a full disk: for the packager', async () => {
    const { path } = await makeTestSource()
    const outputDir = await mkdtemp(join(t.folder, 'full-'))
    await symlink('/dev/full', join(outputDir, '1.m4s'))
    const work = packageRendition({
      inputPath: path,
      kind: 'video',
      outputDir,
      ...SEGMENTS,
      name: '240p',
      scheme: 'cenc',
      signal,
      key: { keyIdHex: '00'.repeat(16), keyHex: '11'.repeat(16) },
      trackType: 'SD',
      language: null,
      label: null,
      pssh: [],
    })
    await expect(work).rejects.toMatchObject({ name: 'MachineError' })
    await rm(outputDir, { recursive: true })
  })

  it('is tool_failed after a crash', async () => {
    const crashed = { name: 'MediaError', code: 'tool_failed' }
    await expect(shell('kill -SEGV $$')).rejects.toMatchObject(crashed)
    // The system kills a process that uses too much memory.
    await expect(shell('kill -KILL $$')).rejects.toMatchObject(crashed)
  })

  it('is not a full disk if only a name in the file says so', async () => {
    const said = 'echo "title: No space left on device, or so it says" >&2; exit 1'
    expect(await shell(said)).toMatchObject({ exitCode: 1 })
  })

  it('is a fault of the machine if the tool is missing', async () => {
    await expect(runTool('no-such-tool', [], { signal })).rejects.toMatchObject({
      name: 'MachineError',
      message: 'no-such-tool could not be started',
    })
  })
})
