import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { COPIED_PACKAGES } from './copied-packages.ts'

const copied = (path: string): string =>
  readFileSync(new URL(`../../third-party/${path}`, import.meta.url), 'utf8')
const versionOf = (name: string): string | undefined =>
  COPIED_PACKAGES.find((one) => one.name === name)?.version

describe('the copies of packages', () => {
  it('have the stated versions', () => {
    const notices = copied('redoc/redoc.standalone.js.LICENSE.txt')
    expect(notices).toContain(`Version: "${versionOf('redoc')}"`)
    const icons = readFileSync(
      new URL('../../dashboard/web/icons/icons.tsx', import.meta.url),
      'utf8',
    )
    expect(icons).toContain(`Tabler Icons ${versionOf('@tabler/icons')},`)
  })

  it('of Shaka Player are those of the package that the tests use', () => {
    const { resolve } = createRequire(import.meta.url)
    const installed = (path: string) => readFileSync(resolve(`shaka-player/${path}`), 'utf8')
    const { version } = JSON.parse(installed('package.json')) as { version: string }
    expect(version).toBe(versionOf('shaka-player'))
    const build = 'shaka-player.dash-es2021.js'
    expect(copied(`shaka-player/${build}`) === installed(`dist/${build}`)).toBe(true)
  })

  it('are in the software bill of materials beside the packages of the lockfile', async () => {
    const { stdout } = await execa('npm', ['run', '--silent', 'sbom'])
    const { components } = JSON.parse(stdout) as { components: { purl: string }[] }
    const purls = components.map(({ purl }) => purl)
    for (const start of ['pkg:npm/express@', 'pkg:npm/redoc@2.', 'pkg:npm/%40tabler/icons@3.'])
      expect(purls).toContainEqual(expect.stringMatching(new RegExp(`^${start}`)))
  })
})
