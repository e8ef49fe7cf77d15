import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'

export interface Release {
  /** As it was named: a tag, or any name of a commit. */
  name: string
  /** The full hash of its commit. */
  commit: string
}

/**
 * Returns the releases to upgrade from, in order: those that `--from COMMIT` names, else all tags of releases. `clone` is
 * the folder of the repository. Throws if a commit is not in the clone, if there is neither `--from` nor a tag, and for
 * other arguments.
 */
export async function chooseReleases(args: string[], clone = projectDir): Promise<Release[]> {
  const options = { from: { type: 'string', multiple: true } } as const
  const { from } = parseArgs({ args, options }).values
  const releases: Release[] = []
  for (const name of from ?? (await listTags(clone)))
    releases.push({ name, commit: await findCommit(name, clone) })
  return releases
}

async function listTags(clone: string): Promise<string[]> {
  const args = ['tag', '--list', 'v*', '--sort=version:refname']
  const { stdout } = await execa('git', args, { cwd: clone })
  const tags = stdout.split('\n').filter(Boolean)
  if (tags.length > 0) return tags
  throw new Error(
    'this clone has no tags of releases: get them with git fetch --tags, or name a commit with --from COMMIT',
  )
}

async function findCommit(name: string, clone: string): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
  const { stdout, failed } = await execa('git', args, { cwd: clone, reject: false })
  if (failed)
    throw new Error(`this clone has no commit ${name}: get it with git fetch --tags --unshallow`)
  return stdout
}

/**
 * Puts the code of a release with its packages and its Temporal server into the new folder `to`. It shares the packages of
 * this version if they include all of its own.
 */
export async function unpackRelease({ commit }: Release, to: string): Promise<void> {
  await mkdir(to)
  const archive = `${to}.tar`
  await execa('git', ['archive', '--output', archive, commit], { cwd: projectDir })
  await execa('tar', ['-xf', archive, '-C', to])
  if (await hasItsPackages(to))
    await symlink(join(projectDir, 'node_modules'), join(to, 'node_modules'))
  else await execa('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: to })
  await installTemporalServer(to)
}

/** A first installation takes minutes, which is longer than a start may take. */
async function installTemporalServer(release: string): Promise<void> {
  const script =
    "const tools = await import('./scripts/bootstrap/tools.mjs'); await tools.ensureTemporalServer()"
  await execa(pinnedNode, ['--input-type=module', '--eval', script], { cwd: release })
}

interface LockFile {
  packages: Record<string, { version?: string }>
}

const readPackages = async (folder: string): Promise<LockFile['packages']> =>
  (JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as LockFile).packages

async function hasItsPackages(folder: string): Promise<boolean> {
  const [own, its] = await Promise.all([readPackages(projectDir), readPackages(folder)])
  return Object.entries(its).every(
    ([place, { version }]) => place === '' || own[place]?.version === version,
  )
}
