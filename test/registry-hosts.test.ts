import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { archiveOf, LOCKED_HOST } from '../scripts/bootstrap/package-archive.mjs'
import { projectDir } from '../scripts/bootstrap/tools.mjs'

// In parts, so that this file does not contain the names.
const HOSTS = [
  ['registry', 'npmjs', 'org'],
  ['registry', 'yarnpkg', 'com'],
  ['repo', 'maven', 'apache', 'org'],
  ['repo1', 'maven', 'org'],
  ['pypi', 'org'],
  ['files', 'pythonhosted', 'org'],
  ['proxy', 'golang', 'org'],
  ['sum', 'golang', 'org'],
  ['crates', 'io'],
  ['deb', 'debian', 'org'],
  ['security', 'debian', 'org'],
  ['archive', 'ubuntu', 'com'],
].map((parts) => parts.join('.'))

async function trackedFiles(): Promise<string[]> {
  const { stdout } = await execa('git', ['ls-files', '-z'], { cwd: projectDir })
  return stdout.split('\0').filter(Boolean)
}

function hostsIn(file: string): string[] {
  const text = readFileSync(join(projectDir, file), 'latin1').toLowerCase()
  return HOSTS.filter((host) => text.includes(host))
}

describe('the repository', () => {
  it('names no host of a package registry: the machine configures the clients', async () => {
    const files = await trackedFiles()
    expect(files).toContain('package-lock.json')
    const named = files.flatMap((file) => hostsIn(file).map((host) => `${file}: ${host}`))
    expect(named).toEqual([])
  })

  it('locks the address of each npm package on a host that npm replaces by its registry', () => {
    const lockFile = readFileSync(join(projectDir, 'package-lock.json'), 'utf8')
    const { packages } = JSON.parse(lockFile) as { packages: Record<string, LockedPackage> }
    const others = Object.entries(packages).filter(
      ([place, entry]) => place !== '' && entry.resolved !== archiveOf(place, entry),
    )
    // `npm run lock` writes them.
    expect(others).toEqual([])
    const npmrc = readFileSync(join(projectDir, '.npmrc'), 'utf8')
    expect(npmrc).toContain(`replace-registry-host=${LOCKED_HOST}\n`)
  })
})

interface LockedPackage {
  name?: string
  version: string
  resolved?: string
}
