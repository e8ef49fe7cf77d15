import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { execa } from 'execa'
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
})
