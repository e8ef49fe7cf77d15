import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa, execaSync } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pinnedNode, projectDir } from './bootstrap/tools.mjs'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-folder-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const start = () => [
  pinnedNode,
  '--no-warnings',
  'scripts/start.ts',
  '--data-dir',
  join(folder, 'data'),
]

async function run([program = '', ...args]: string[]) {
  const result = await execa(program, args, { cwd: projectDir, reject: false, timeout: 60_000 })
  return { status: result.exitCode, stderr: result.stderr }
}

/** Runs `npm start` in a separate mount namespace, in which `folder` is a file system with these options. */
const startOnFileSystem = (options: string, prepare = 'true') =>
  run([
    'unshare',
    '--mount',
    'sh',
    '-c',
    `mount -t tmpfs -o ${options} none "$0" && { ${prepare}; } && exec "$@"`,
    folder,
    ...start(),
  ])

/**
 * A disk without space or without write access is simulated by a mounted file system. Only a process with the
 * capability CAP_SYS_ADMIN, such as root outside of most containers, may mount one.
 */
const canMount = execaSync('unshare', ['--mount', 'true'], { reject: false }).exitCode === 0
const itIfMountable = canMount ? it : it.skip

describe('npm start on an unusable folder', () => {
  it('reports that the path is a file', async () => {
    const { status, stderr } = await run([...start().slice(0, -1), '/dev/null'])
    expect(stderr).toContain('/dev/null is not a folder: choose another folder')
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(status).toBe(1)
  })

  it('reports missing permission to write', async () => {
    chmodSync(folder, 0o555)
    // Root can write anywhere, so it runs without capabilities.
    const asUser =
      process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []
    const { status, stderr } = await run([...asUser, ...start()])
    chmodSync(folder, 0o755)
    expect(stderr).toContain(
      `This user may not write to ${join(folder, 'data')}: change its permissions`,
    )
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(status).toBe(1)
  })

  itIfMountable.each([
    ['is read-only', 'ro', 'true', 'is on a read-only file system: make it writable'],
    [
      'is full',
      'size=64k',
      'head -c 64k /dev/zero > "$0/full" || true',
      'No space is left on the disk',
    ],
    [
      'is too small for a first start',
      'size=20m',
      'true',
      'has 20 MiB free, and the first start needs 100 MiB',
    ],
  ])('advises what to do if its disk %s', async (_what, options, prepare, words) => {
    const { status, stderr } = await startOnFileSystem(options, prepare)
    expect(stderr).toContain(words)
    expect(stderr).toContain('choose another folder with --data-dir')
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(status).toBe(1)
  })
})
