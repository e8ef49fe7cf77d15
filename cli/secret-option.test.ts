import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SECRET_VARIABLES } from '../config/schema.ts'
import { createWebhookSecret } from '../security/webhook-signature.ts'
import { cliHarness, cliProcess } from '../test/fixtures/cli.ts'
import { listenerOf, receiver, withServer } from '../test/fixtures/webhook-receivers.ts'
import { buildProgram } from './program.ts'
import { readSecret } from './secret-option.ts'

const secret = createWebhookSecret()
const other = createWebhookSecret()
const EVENTS = ['--events', 'video.ready']
let folder: string
let path: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-secret-'))
  path = join(folder, 'secret')
  await writeFile(path, `${secret}\n`)
})

afterAll(() => rm(folder, { recursive: true }))

const verbsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(verbsOf)]
const program = buildProgram({ out: () => {}, error: () => {} })

/** Words of the name of an option or argument that carries a secret. */
const CARRIES_SECRET = /secret|key|token|passw|credential/i

describe('a secret', () => {
  it('is never only an option: a file, stdin and a variable carry it too, and the help warns', () => {
    const carriers = verbsOf(program).flatMap((verb) =>
      verb.options
        .filter(({ flags, long }) => flags.includes('<') && CARRIES_SECRET.test(long ?? ''))
        .filter(({ long }) => !long?.endsWith('-file'))
        .map((option) => ({ verb, option })),
    )
    expect(carriers.map(({ verb, option }) => `${verb.name()} ${option.long}`)).toEqual([
      'upload --key',
      'import --key',
      'listen --secret',
      'listen --key',
      'verify-receiver --secret',
    ])
    for (const { verb, option } of carriers) {
      expect(verb.options.map(({ long }) => long)).toContain(`${option.long}-file`)
      expect(option.mandatory).toBe(false)
      expect(option.description).toContain('visible in the process list')
      const [variable = ''] = /REELGATE_\w+/.exec(option.description) ?? []
      expect(SECRET_VARIABLES).toContain(variable)
    }
  })

  it('is never an argument', () => {
    const names = verbsOf(program).flatMap((verb) =>
      verb.registeredArguments.map((one) => one.name()),
    )
    expect(names.filter((name) => CARRIES_SECRET.test(name))).toEqual([])
  })

  it('is read from the option or the file, else from the variable', async () => {
    const read = (forms: { option?: string; file?: string }, variable?: string) =>
      readSecret('secret', { ...forms, variable })
    expect(await read({ option: secret }, other)).toBe(secret)
    expect(await read({ file: path }, other)).toBe(secret)
    expect(await read({}, other)).toBe(other)
    expect(await read({})).toBeUndefined()
  })

  it('is read from stdin', async () => {
    await withServer(listenerOf(receiver(), secret), async ({ href }) => {
      const reelgate = cliProcess({ DATABASE_URL: '' }, `${secret}\n`)
      const run = await reelgate('verify-receiver', href, '--secret-file', '-', ...EVENTS)
      expect(run).toMatchObject({ status: 0, stderr: '' })
      expect(run.stdout).not.toContain(secret)
    })
  })

  it.each<[string, () => string[], string]>([
    ['a missing file', () => ['--secret-file', join(folder, 'none')], 'ENOENT'],
    ['an empty file', () => ['--secret-file', '/dev/null'], 'empty'],
    ['both forms', () => ['--secret-file', path, '--secret', secret], 'cannot be used with'],
    ['none', () => [], 'REELGATE_WEBHOOK_SECRET'],
  ])('from %s is refused with 2 in words without it', async (_name, options, words) => {
    const reelgate = cliHarness({ DATABASE_URL: '', REELGATE_WEBHOOK_SECRET: '' })
    const run = await reelgate('verify-receiver', 'http://127.0.0.1:1/', ...options())
    expect(run).toMatchObject({ status: 2, stdout: '' })
    expect(run.stderr).toContain(words)
    expect(run.stderr).not.toContain(secret)
  })
})
