import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { chooseReleases } from './release.ts'

let clone: string
const commits: string[] = []

const git = async (...args: string[]): Promise<string> =>
  (
    await execa('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: clone,
    })
  ).stdout

async function commit(message: string): Promise<void> {
  await git('commit', '--quiet', '--allow-empty', '--message', message)
  commits.push(await git('rev-parse', 'HEAD'))
}

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'reelgate-clone-'))
  await git('init', '--quiet')
  await commit('First release')
  await commit('Later release')
})

afterAll(() => rm(clone, { recursive: true, force: true }))

describe('a release that does not start', () => {
  it('ends the verification with its words', async () => {
    const code = join(clone, 'release')
    await mkdir(join(code, 'scripts'), { recursive: true })
    await writeFile(join(code, 'scripts', 'start.ts'), `throw new Error('the old code is broken')`)
    const script = `const { verifyUpgrade } = await import('./test/upgrade/verify-upgrade.ts')
      await verifyUpgrade({}, ${JSON.stringify(clone)}, () => {}, async () => {})`
    const run = await execa(pinnedNode, ['--no-warnings', '--input-type=module', '-e', script], {
      cwd: projectDir,
      reject: false,
      timeout: 100_000,
    })
    expect([run.timedOut, run.exitCode]).toEqual([false, 1])
    expect(run.stderr).toContain('the old code is broken')
  }, 120_000)
})

describe('the releases to upgrade from', () => {
  it('are the commits that --from names, in a clone without tags too', async () => {
    const short = commits[0]?.slice(0, 8) ?? ''
    expect(await chooseReleases(['--from', short, '--from', 'HEAD'], clone)).toEqual([
      { name: short, commit: commits[0] },
      { name: 'HEAD', commit: commits[1] },
    ])
  })

  it('must be in the clone', async () => {
    await expect(chooseReleases(['--from', '0123abcd'], clone)).rejects.toThrow(
      'this clone has no commit 0123abcd',
    )
    await expect(chooseReleases(['--from', '--all'], clone)).rejects.toThrow()
  })

  it('cannot be chosen without a tag and without --from', async () => {
    await expect(chooseReleases([], clone)).rejects.toThrow('name a commit with --from COMMIT')
  })

  it('are the tags of releases, in the order of their versions, without --from', async () => {
    await git('tag', '--annotate', 'v0.10.0', '--message', '0.10.0', 'HEAD')
    await git('tag', 'v0.9.0', 'HEAD~1')
    await git('tag', 'nightly', 'HEAD')
    expect(await chooseReleases([], clone)).toEqual([
      { name: 'v0.9.0', commit: commits[0] },
      { name: 'v0.10.0', commit: commits[1] },
    ])
  })

  it('are named by --from only', async () => {
    await expect(chooseReleases(['v0.9.0'], clone)).rejects.toThrow(/v0\.9\.0/)
  })
})
