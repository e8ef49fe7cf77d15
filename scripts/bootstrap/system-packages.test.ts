import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pinnedNode, projectDir } from './tools.mjs'

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'path-test-'))
  chmodSync(path, 0o755)
})
afterEach(() => rmSync(path, { recursive: true }))

const program = (name: string, script: string) =>
  writeFileSync(join(path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

const ensureFfmpeg = (options: { asRoot: boolean; platform?: string }) =>
  ensure('tools.ensureFfmpeg()', options)

/** Runs `calls` on the bootstrap's tools with only the programs in `path`. */
async function ensure(
  calls: string,
  { asRoot, platform = 'linux' }: { asRoot: boolean; platform?: string },
) {
  const script = `
    Object.defineProperty(process, 'platform', { value: '${platform}' })
    process.getuid = () => ${asRoot ? 0 : 1000}
    const tools = await import('./scripts/bootstrap/system-packages.mjs')
    await ${calls}.catch((error) => { console.log(error.message); process.exitCode = 1 })`
  const args = ['--input-type=module', '--eval', script]
  const env = { PATH: path, REELGATE_CACHE_DIR: join(path, 'cache') }
  const child = spawn(pinnedNode, args, { cwd: projectDir, env })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output: output.trim(), status: status as number }
}

describe('ffmpeg', () => {
  it('is found on the PATH', async () => {
    program('ffmpeg', '')
    program('ffprobe', '')
    expect(await ensureFfmpeg({ asRoot: false })).toEqual({ output: '', status: 0 })
  })

  it('is installed with the package manager if root runs the bootstrap', async () => {
    const make = (name: string) => `echo > ${path}/${name}; /bin/chmod +x ${path}/${name}`
    program('apt-get', `[ "$1" = update ] || { ${make('ffmpeg')}; ${make('ffprobe')}; }`)
    expect(await ensureFfmpeg({ asRoot: true })).toEqual({ output: '', status: 0 })
  })

  it('is installed with all other missing packages in one call after one update', async () => {
    const make = (name: string) => `echo > ${path}/${name}; /bin/chmod +x ${path}/${name}`
    program(
      'apt-get',
      `echo "$*" >> ${path}/calls
       [ "$1" = update ] || { ${make('ffmpeg')}; ${make('ffprobe')}; ${make('chromium')}; ${make('mvn')}; }`,
    )
    const all = 'Promise.all([tools.ensureFfmpeg(), tools.ensureChromium(), tools.ensureMaven()])'
    expect(await ensure(all, { asRoot: true })).toEqual({ output: '', status: 0 })
    expect(readFileSync(join(path, 'calls'), 'utf8')).toBe(
      'update -q\ninstall -q -y --no-install-recommends ffmpeg chromium maven\n',
    )
  })

  it('is not installed at the same time as the headless shell, because apt-get takes a lock', async () => {
    const make = (name: string) => `echo > ${path}/${name}; /bin/chmod +x ${path}/${name}`
    program(
      'apt-get',
      `/bin/mkdir ${path}/lock || exit 100
       echo "$*" >> ${path}/calls
       [ "$1" = update ] || { ${make('ffmpeg')}; ${make('ffprobe')}; }
       /bin/sleep 0.2; /bin/rmdir ${path}/lock`,
    )
    const both = 'Promise.all([tools.ensureFfmpeg(), tools.tryHeadlessShell()])'
    expect(await ensure(both, { asRoot: true })).toEqual({ output: '', status: 0 })
    const calls = readFileSync(join(path, 'calls'), 'utf8')
    expect(calls.match(/^update /gm)).toHaveLength(1)
    expect(calls.match(/^install /gm)).toHaveLength(2)
  })

  it('is in one command with all other missing packages, if only root can install them', async () => {
    program('apt-get', '')
    const both = 'Promise.all([tools.ensureFfmpeg(), tools.ensureMaven()])'
    expect(await ensure(both, { asRoot: false })).toEqual({
      output:
        'ffmpeg and maven are needed and only root can install them. Run: sudo apt-get update -q && ' +
        'sudo apt-get install -q -y --no-install-recommends ffmpeg maven',
      status: 1,
    })
  })

  it('needs one command, which the error shows, if only root can install it', async () => {
    program('apt-get', '')
    expect(await ensureFfmpeg({ asRoot: false })).toEqual({
      output:
        'ffmpeg is needed and only root can install it. Run: sudo apt-get update -q && ' +
        'sudo apt-get install -q -y --no-install-recommends ffmpeg',
      status: 1,
    })
  })

  it.each([
    ['linux', 'Install it with the package manager of this system, then run this again.'],
    ['darwin', 'Run: brew install ffmpeg, then run this again.'],
  ])('is installed by the user as usual on %s', async (platform, advice) => {
    const { output, status } = await ensureFfmpeg({ asRoot: false, platform })
    expect(output).toBe(`ffmpeg is needed. ${advice}`)
    expect(status).toBe(1)
  })
})

describe('the headless shell of Chromium', () => {
  const calls = `Promise.all([tools.tryHeadlessShell(), tools.ensureChromium()])
    .then(() => tools.tryHeadlessShell())
    .then(() => tools.ensureHeadlessChromium())
    .then((found) => console.log(found))`

  it('is installed by root and preferred', async () => {
    program('chromium', '')
    const shell = join(path, 'chromium-headless-shell')
    program('apt-get', `[ "$1" = update ] || { echo > ${shell}; /bin/chmod +x ${shell}; }`)
    expect(await ensure(calls, { asRoot: true })).toEqual({ output: shell, status: 0 })
  })

  it('is tried once; where it cannot be installed, the tests use Chromium', async () => {
    program('chromium', '')
    program('apt-get', `echo "$1" >> ${path}/calls; [ "$1" = update ]`)
    const chromium = { output: join(path, 'chromium'), status: 0 }
    expect(await ensure(calls, { asRoot: false })).toEqual(chromium)
    expect(existsSync(join(path, 'calls'))).toBe(false)
    expect(await ensure(calls, { asRoot: true })).toEqual(chromium)
    expect(await ensure(calls, { asRoot: true })).toEqual(chromium)
    expect(readFileSync(join(path, 'calls'), 'utf8')).toBe('update\ninstall\n')
  })
})
