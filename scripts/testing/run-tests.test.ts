import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inheritedEnvironment, pinnedNode, projectDir } from '../bootstrap/tools.mjs'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-run-tests-'))
  const npm = '#!/bin/sh\necho "output of $3"\n[ "$3" != typecheck ]\n'
  await writeFile(join(folder, 'npm'), npm)
  await chmod(join(folder, 'npm'), 0o755)
})
afterAll(() => rm(folder, { recursive: true }))

describe('npm test', () => {
  it.each([[[]], [['--fast']]])(
    'ends before the tests when a static check fails, with its output: %j',
    async (args) => {
      const script = join(projectDir, 'scripts/run-tests.ts')
      const env = { PATH: [folder, inheritedEnvironment().PATH].join(delimiter) }
      const options = { env, reject: false, timeout: 60_000 } as const
      const { stdout, exitCode } = await execa(
        pinnedNode,
        ['--no-warnings', script, ...args],
        options,
      )
      expect(exitCode).toBe(1)
      expect(stdout).toMatch(/✗ typecheck \(.*\)\noutput of typecheck\n/)
      expect(stdout).not.toContain('output of lint')
      expect(stdout.split('\n').at(-1)).toBe('4 passed, 1 failed')
    },
  )
})
