import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { projectDir } from '../scripts/bootstrap/tools.mjs'
import { ARCHITECTURES } from '../scripts/release/binaries.ts'
import { IMAGE } from '../scripts/release/versions.ts'

const read = (path: string): Promise<string> => readFile(join(projectDir, path), 'utf8')

const workflowSchema = z.object({
  jobs: z.object({
    test: z.object({
      strategy: z.object({ matrix: z.object({ shard: z.array(z.number()) }) }),
      steps: z.array(z.object({ run: z.string().optional() })),
    }),
  }),
})

describe('.ci/run', () => {
  /** Runs it with an `npm` that prints its arguments, one a line. */
  async function npmArguments(...args: string[]): Promise<string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'reelgate-ci-'))
    try {
      await writeFile(join(folder, 'npm'), '#!/bin/sh\nprintf "%s\\n" "$@" "CI=$CI"\n')
      await chmod(join(folder, 'npm'), 0o755)
      const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, CI: '' }
      return (await execa(join(projectDir, '.ci/run'), args, { env })).stdout.split('\n')
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  it('runs everything without arguments', async () => {
    expect(await npmArguments()).toEqual(['test', '--', 'CI=true'])
  })

  it('hands its arguments to npm test', async () => {
    const args = await npmArguments('--shard=1/4', 'a folder')
    expect(args).toEqual(['test', '--', '--shard=1/4', 'a folder', 'CI=true'])
  })
})

describe('the workflow of GitHub', () => {
  it('runs every shard of .ci/run', async () => {
    const { test } = workflowSchema.parse(parse(await read('.github/workflows/tests.yml'))).jobs
    const { shard } = test.strategy.matrix
    expect(shard).toEqual(shard.map((_, index) => index + 1))
    expect(test.steps.at(-1)?.run).toBe(`.ci/run --shard=\${{ matrix.shard }}/${shard.length}`)
  })
})

describe('the workflow of releases', () => {
  const releaseSchema = z.object({
    on: z.object({ push: z.object({ tags: z.array(z.string()) }) }),
    env: z.object({ IMAGE: z.string() }),
    jobs: z.object({
      make: z.object({
        strategy: z.object({
          matrix: z.object({ include: z.array(z.object({ architecture: z.string() })) }),
        }),
        steps: z.array(z.object({ run: z.string().optional() })),
      }),
      publish: z.object({ needs: z.string() }),
    }),
  })

  it('makes the dry run of a tag for each processor before it publishes', async () => {
    const { on, env, jobs } = releaseSchema.parse(
      parse(await read('.github/workflows/release.yml')),
    )
    expect(on.push.tags).toEqual(['v*'])
    expect(env.IMAGE).toBe(IMAGE)
    const { strategy, steps } = jobs.make
    expect(strategy.matrix.include.map(({ architecture }) => architecture)).toEqual(ARCHITECTURES)
    const runs = steps.map(({ run }) => run ?? '')
    const made = runs.findIndex((run) =>
      run.startsWith('npm run release -- --dry-run --version "${GITHUB_REF_NAME#v}"'),
    )
    const pushed = runs.findIndex((run) => run.includes('docker push'))
    expect(made).toBeGreaterThan(0)
    expect(pushed).toBeGreaterThan(made)
    expect(jobs.publish.needs).toBe('make')
  })
})

describe('.gitattributes', () => {
  const GENERATED = [
    'dashboard/web/api/schema.ts',
    'sdk/src/schema.ts',
    'docs/openapi.json',
    'test/histories/ingest-video-cancelled-long-film.json',
    'package-lock.json',
    'test/compose/caddy/go.sum',
  ]

  it('collapses generated files in pull requests, and no other', async () => {
    const paths = [...GENERATED, 'package.json', 'domain/encoding/ladder.ts']
    const args = ['check-attr', 'linguist-generated', '--', ...paths]
    const { stdout } = await execa('git', args, { cwd: projectDir })
    const marked = stdout.split('\n').filter((line) => line.endsWith(': set'))
    expect(marked.map((line) => line.split(':')[0])).toEqual(GENERATED)
  })
})
