import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'

/** The tags of the releases, in order. Throws if the clone has none. */
export async function listReleases(): Promise<string[]> {
  const { stdout } = await execa('git', ['tag', '--list', 'v*', '--sort=version:refname'], {
    cwd: projectDir,
  })
  const tags = stdout.split('\n').filter(Boolean)
  if (tags.length === 0)
    throw new Error('this clone has no tags of releases: get them with git fetch --tags')
  return tags
}

/**
 * Puts the code of a release with its packages into the new folder `to`. It shares the packages of this version if they
 * include all of its own.
 */
export async function unpackRelease(tag: string, to: string): Promise<void> {
  await mkdir(to)
  const archive = `${to}.tar`
  await execa('git', ['archive', '--output', archive, tag], { cwd: projectDir })
  await execa('tar', ['-xf', archive, '-C', to])
  if (await hasItsPackages(to))
    await symlink(join(projectDir, 'node_modules'), join(to, 'node_modules'))
  else await execa('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: to })
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
