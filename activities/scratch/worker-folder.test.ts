import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tieToOwner } from '../../media/tie-to-owner.ts'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { processesOf } from '../../test/infrastructure/processes.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { claimWorkerFolder, sweepWorkerFolders } from './worker-folder.ts'

/** The kernel ends the tools at once; this is for a busy machine. Without that, they would run for ten minutes. */
const ENDED_MS = 20_000

let root: string
const running: ChildProcess[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'reelgate-own-'))
})

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(root, { recursive: true, force: true })
})

interface Owner {
  /** The folder of the process. */
  path: string
  kill: () => Promise<void>
}

/** Starts a process with an encoder and a packager; resolves when it has begun both. */
async function startOwner(workDir: string, env: Record<string, string> = {}): Promise<Owner> {
  const args = ['--no-warnings', 'test/fixtures/tool-owner.ts', workDir]
  const child = spawn(pinnedNode, args, {
    cwd: projectDir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  const [path] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    path,
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const toolsOf = (path: string) => processesOf(path).filter((line) => !line.includes('tool-owner'))

/** A folder of programs without `setpriv`, as on macOS. */
function pathWithoutSetpriv(): string {
  const folder = join(root, 'bin')
  mkdirSync(folder)
  for (const name of ['sh', 'ffmpeg', 'mkfifo']) {
    const found = (process.env.PATH ?? '')
      .split(delimiter)
      .map((one) => join(one, name))
      .find((one) => existsSync(one))
    symlinkSync(found ?? name, join(folder, name))
  }
  return folder
}

describe('kill -9 of a worker', () => {
  it('ends its encoder and its packager; the next sweep removes their files with the keys, and those of no live worker', async () => {
    const workDir = join(root, 'shared')
    const [killed, live] = await Promise.all([startOwner(workDir), startOwner(workDir)])
    for (const { path } of [killed, live]) await until(() => toolsOf(path).length === 2)
    await Promise.all([sweepWorkerFolders(workDir), sweepWorkerFolders(workDir)])
    expect((await readdir(killed.path)).some((name) => name.startsWith('packager-'))).toBe(true)

    await killed.kill()
    await until(() => toolsOf(killed.path).length === 0, ENDED_MS)
    const before = await stat(join(live.path, 'encoded.mkv'))
    const swept = await Promise.all([sweepWorkerFolders(workDir), sweepWorkerFolders(workDir)])
    expect(Math.max(...swept)).toBe(1)
    expect(existsSync(killed.path)).toBe(false)
    expect(toolsOf(live.path)).toHaveLength(2)
    await until(async () => (await stat(join(live.path, 'encoded.mkv'))).size > before.size)
    await live.kill()
    expect(await sweepWorkerFolders(workDir)).toBe(1)
  })

  it('ends its tools also on a system without setpriv', async () => {
    const { path, kill } = await startOwner(join(root, 'plain'), { PATH: pathWithoutSetpriv() })
    // The tools and the shells that watch over them.
    await until(() => toolsOf(path).length >= 4)
    expect(toolsOf(path)).toHaveLength(4)
    await kill()
    await until(() => toolsOf(path).length === 0, ENDED_MS)
  })

  it('before a tool asked for its signal: the tool is never run', async () => {
    const file = join(root, 'ran')
    const { program, args } = tieToOwner('touch', [file], 'parent-death-signal')
    // The pid of another process stands for that of a parent that has ended.
    const orphan = args.map((arg) => (arg === String(process.pid) ? '1' : arg))
    expect(orphan).not.toEqual(args)
    expect((await execa(program, orphan, { reject: false })).exitCode).toBe(1)
    expect(existsSync(file)).toBe(false)
    await execa(program, args)
    expect(existsSync(file)).toBe(true)
  })
})

describe('the folder of a worker', () => {
  it('stays while the process that has it sweeps, and is removed when it stops', async () => {
    const workDir = join(root, 'one')
    const own = await claimWorkerFolder(workDir)
    await writeFile(join(own.path, 'encoded.mp4'), '')
    expect(await sweepWorkerFolders(workDir)).toBe(0)
    // The sweep has not given up the lock of its own process.
    const sweep = `import { sweepWorkerFolders } from './activities/scratch/worker-folder.ts'
      console.log(await sweepWorkerFolders(process.argv[1]))`
    const { stdout } = await execa(
      pinnedNode,
      ['--no-warnings', '--input-type=module-typescript', '-e', sweep, workDir],
      { cwd: projectDir },
    )
    expect(stdout).toBe('0')
    await own.release()
    expect(existsSync(own.path)).toBe(false)
  })

  it('is not removed while it is being made, unless that was an hour ago', async () => {
    const workDir = join(root, 'making')
    const [fresh, old] = ['fresh.new', 'old.new'].map((name) => join(workDir, 'workers', name))
    for (const path of [fresh!, old!]) await mkdir(path, { recursive: true })
    const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
    await utimes(old!, hoursAgo, hoursAgo)
    expect(await sweepWorkerFolders(workDir)).toBe(1)
    expect(await readdir(join(workDir, 'workers'))).toEqual(['fresh.new'])
  })
})
