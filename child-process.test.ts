import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bareExeca } from './child-process.ts'
import { SECRET_VARIABLES } from './config/schema.ts'
import { runFfmpeg } from './media/ffmpeg.ts'
import { runTool } from './media/run-tool.ts'
import { picture, setUpMediaFixture, signal } from './test/fixtures/media-files.ts'
import { waitFor } from './test/infrastructure/wait-for.ts'

const t = setUpMediaFixture()
const VARIABLES = [...SECRET_VARIABLES, 'http_proxy', 'HTTPS_PROXY', 'NODE_OPTIONS']
const before = { ...process.env }

beforeEach(() => {
  for (const name of VARIABLES) if (name !== 'NODE_OPTIONS') process.env[name] = `secret-${name}`
})

afterEach(() => {
  for (const name of VARIABLES) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
})

const ENVIRONMENT = 'cat /proc/self/environ'
const namesIn = (environ: string): string[] =>
  environ
    .split('\0')
    .filter(Boolean)
    .map((one) => one.split('=')[0] ?? '')
    .sort()

it('ffmpeg at work has no setting and no secret in its environment', async () => {
  const stopping = new AbortController()
  const outputPath = join(t.folder, 'endless.mp4')
  const work = runFfmpeg(['-re', ...picture('64x64', 30, 600), outputPath], {
    signal: stopping.signal,
  })
  const ended = expect(work).rejects.toMatchObject({ code: 'aborted' })
  try {
    const pid = await waitFor('ffmpeg', async () => {
      const { stdout } = await execa('pgrep', ['-f', `^ffmpeg.*${outputPath}`], { reject: false })
      return stdout.split('\n').find(Boolean)
    })
    const environ = await readFile(`/proc/${pid}/environ`, 'utf8')
    expect(environ).not.toContain('secret')
    expect(environ).not.toContain('MASTER_KEY')
    expect(environ).not.toContain('DATABASE_URL')
    expect(namesIn(environ).filter((name) => !ALLOWED.includes(name))).toEqual([])
  } finally {
    stopping.abort()
    await ended
  }
})

/** Those that a tool is given, and those that a shell sets. */
const ALLOWED = 'PATH LD_LIBRARY_PATH TMPDIR LC_ALL AV_LOG_FORCE_NOCOLOR OLDPWD PWD SHLVL _'.split(
  ' ',
)

it('every tool, and every other child process, has as little', async () => {
  const tool = await runTool('sh', ['-c', ENVIRONMENT], { signal })
  const child = await bareExeca()('sh', ['-c', ENVIRONMENT])
  for (const environ of [tool.stdout, child.stdout]) {
    expect(namesIn(environ)).toContain('PATH')
    expect(namesIn(environ).filter((name) => !ALLOWED.includes(name))).toEqual([])
  }
})
