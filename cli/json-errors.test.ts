import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createKey } from '../commands/accounts/api-keys.ts'
import { createAccount } from '../commands/accounts/create-account.ts'
import { transitionVideo } from '../commands/videos/transition-video.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { WebhookAttempt, WebhookEndpoint } from '../db/entities/event.ts'
import { Member } from '../db/entities/member.ts'
import { Video } from '../db/entities/video.ts'
import { putMembership } from '../db/members/write-members.ts'
import { ERRORS } from '../domain/error-codes.ts'
import { parseMasterKeys, seal } from '../security/sealing/sealing.ts'
import { endpointSecretContext } from '../security/sealing/secret-contexts.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'
import { FIRST_WIDE_ID } from '../test/infrastructure/wide-ids.ts'
import { apiKeySchema, deviceSchema, revokedViewerSchema } from '../views/accounts/account.ts'
import { paymentSchema } from '../views/accounts/payment.ts'
import { viewerErasureSchema } from '../views/audience/viewer-erasure.ts'
import { createdInvitationSchema } from '../views/members/invitation.ts'
import {
  memberSchema,
  operatorChangeSchema,
  operatorSchema,
  removedMemberSchema,
} from '../views/members/member.ts'
import {
  operatorAccountSchema,
  operatorDeliverySchema,
  operatorPlanSchema,
  operatorReplaySchema,
  operatorVideoSchema,
  stepTroubleSchema,
} from '../views/operator/operator.ts'
import { playerSettingsObjectSchema } from '../views/player-settings.ts'
import { ingestProgressSchema } from '../views/videos/ingest-progress.ts'
import { renditionSchema } from '../views/videos/video.ts'
import { buildProgram } from './program.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
const AWAY_DATABASE = 'postgres://user:hidden@127.0.0.1:1/x'
const NOWHERE = 'http://127.0.0.1:1'
const VIDEO = 'aaaaaaaaaaaaaaaaaaaa'
// The first of a fresh database.
const ACCOUNT = ['--account', '1']
/** The first member and the first delivery. */
const FIRST = String(FIRST_WIDE_ID)

/** They use the API of a service alone. */
const MANIFEST = ['--output', 'videos.ndjson', '--api', NOWHERE]
/** Of accounts at services. */
const CREDENTIALS = {
  VIMEO_ACCESS_TOKEN: 'hidden',
  MUX_TOKEN_ID: 'hidden',
  MUX_TOKEN_SECRET: 'hidden',
  BUNNY_API_KEY: 'hidden',
  BUNNY_LIBRARY_ID: '1',
  BUNNY_PULL_ZONE: 'vz-1.b-cdn.net',
  CLOUDFLARE_API_TOKEN: 'hidden',
  CLOUDFLARE_ACCOUNT_ID: '0'.repeat(32),
}

/** Valid arguments of every verb. New verbs must be added here. */
const VERBS: Record<string, string[]> = {
  'accounts create': ['--name', 'Anna', '--plan', 'clearkey'],
  'accounts list': [],
  'accounts export': ['1', '/nowhere/export'],
  'accounts delete': ['1', '--confirm', 'A'],
  'keys create': [...ACCOUNT, '--scopes', 'all'],
  'keys list': [],
  'keys revoke': ['1'],
  'members invite': [...ACCOUNT, '--owner'],
  'members list': ACCOUNT,
  'members operators': [],
  'members grant-operator': [FIRST],
  'members revoke-operator': [FIRST],
  'members remove': [FIRST, ...ACCOUNT],
  'plan set': [...ACCOUNT, '--ends-at', '2099-01-31T00:00:00Z'],
  'plan show': ACCOUNT,
  'payments record': [
    ...ACCOUNT,
    '--amount',
    '4900',
    '--currency',
    'usd',
    '--plan-type',
    'pro',
    '--billing-cycle',
    'monthly',
  ],
  'payments list': [],
  'settings get': ACCOUNT,
  'settings set': [...ACCOUNT, 'theme=light'],
  'signing-secret show': ACCOUNT,
  'signing-secret rotate': ACCOUNT,
  'videos list': [],
  'videos show': [VIDEO],
  'videos retry-as-new': [VIDEO],
  'videos original': [VIDEO, '--output', 'original.mp4'],
  'videos upload': ['package.json', '--api', NOWHERE, '--key', 'rg_live_x'],
  import: ['test/fixtures/moving/one-line.ndjson', '--api', NOWHERE, '--key', 'rg_live_x'],
  export: ['1', '/nowhere/export'],
  'manifest vimeo': MANIFEST,
  'manifest mux': MANIFEST,
  'manifest bunny': MANIFEST,
  'manifest cloudflare': MANIFEST,
  'viewers revoke': ['eve', ...ACCOUNT],
  'viewers list': [],
  'viewers erase': ['eve', ...ACCOUNT],
  'viewers export': ['eve', ...ACCOUNT],
  'viewers restore': ['eve', ...ACCOUNT],
  'devices revoke': ['device-1', ...ACCOUNT],
  'devices list': [],
  'devices restore': ['device-1', ...ACCOUNT],
  'master-key status': [],
  'master-key rotate': [],
  'master-key begin': ['--file', '/nowhere'],
  'master-key continue': ['--file', '/nowhere'],
  'deliveries list': [],
  'deliveries retry': [FIRST],
  'deliveries replay': [...ACCOUNT, '--since', new Date(Date.now() - 3_600_000).toISOString()],
  backup: ['/nowhere'],
  restore: ['/nowhere'],
  doctor: [],
  'doctor drm': [],
  listen: ['--forward-to', `${NOWHERE}/hook`, '--api', NOWHERE, '--key', 'rg_live_x'],
  why: ['1C3J-1EM1-EZRT'],
  'verify-receiver': [`${NOWHERE}/hook`, '--secret', 'whsec_x'],
}
const CREATE = ['accounts', 'create', '--name', 'Anna', '--plan', 'clearkey']
/** Verbs that print what they have checked. */
const REPORTS = ['doctor', 'doctor drm', 'verify-receiver']
/** Verbs that need more than the database, or delete what the others need. Their own tests cover their success. */
const NOT_ONLY_DATABASE = [
  'accounts export',
  'accounts delete',
  'videos retry-as-new',
  'videos original',
  'videos upload',
  'import',
  'export',
  'manifest vimeo',
  'manifest mux',
  'manifest bunny',
  'manifest cloudflare',
  'master-key begin',
  'master-key continue',
  'backup',
  'restore',
  'listen',
  ...REPORTS,
]
/** Nouns that are verbs too. */
const NOUNS_WITH_ACTION = ['doctor']
const names = Object.keys(VERBS)

const plan = operatorPlanSchema
const settings = playerSettingsObjectSchema
/** The views of the verbs that print objects. */
const SHAPES: Record<string, z.ZodType> = {
  'accounts create': operatorAccountSchema,
  'accounts list': z.array(operatorAccountSchema),
  'keys create': apiKeySchema.extend({ key: z.string() }),
  'keys list': z.array(apiKeySchema),
  'keys revoke': apiKeySchema,
  'members invite': createdInvitationSchema.extend({ grants_operator: z.boolean() }),
  'members list': z.array(memberSchema),
  'members operators': z.array(operatorSchema),
  'members grant-operator': operatorChangeSchema,
  'members revoke-operator': operatorChangeSchema,
  'members remove': removedMemberSchema,
  'plan set': plan,
  'plan show': plan.extend({ storage_available_bytes: z.int().nullable() }),
  'payments record': paymentSchema.extend({ was_recorded_before: z.boolean() }),
  'payments list': z.array(paymentSchema),
  'settings get': settings,
  'settings set': settings,
  'videos list': z.array(operatorVideoSchema),
  'videos show': operatorVideoSchema.extend({
    workflow_id: z.string(),
    renditions: z.array(renditionSchema),
    troubles: z.array(stepTroubleSchema).nullable(),
    progress: ingestProgressSchema,
  }),
  'viewers revoke': revokedViewerSchema,
  'viewers list': z.array(revokedViewerSchema),
  'viewers erase': viewerErasureSchema,
  'devices revoke': deviceSchema,
  'devices list': z.array(deviceSchema),
  'deliveries list': z.array(operatorDeliverySchema),
  'deliveries retry': operatorDeliverySchema,
  'deliveries replay': operatorReplaySchema,
}

let testDatabase: TestDatabase
let database: Database
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'reelgate-cli-'))
  testDatabase = await createTestDatabase()
  database = await openDatabase({ url: testDatabase.url })
  const em = database.em.fork()
  const keys = parseMasterKeys(MASTER_KEY)
  const accountId = await createAccount(em, keys, { name: 'A', protection: 'clearkey' })
  await createKey(em, { accountId, scopes: ['videos:read'] })
  await em.insert(WebhookEndpoint, {
    accountId,
    url: 'https://hooks.example/',
    events: ['video.created'],
    sealedSecret: seal(keys, 'whsec_x', endpointSecretContext(accountId)),
  })
  const memberId = await em.insert(Member, { email: 'anna@site.example', passwordHash: null })
  await putMembership(em, { accountId, memberId, role: 'reader' })
  const sourceUrl = 'https://files.example/lesson.mp4'
  await em.insert(Video, { id: VIDEO, accountId, title: 'F', sourceUrl, protection: 'clearkey' })
  await transitionVideo(em, VIDEO, 'processing')
  const attempt = { startedAt: new Date(), durationMs: 120, responseStatus: 503, timings: {} }
  await em.insert(WebhookAttempt, { deliveryId: FIRST_WIDE_ID, number: 1, ...attempt })
})
afterAll(async () => {
  await database.close(true)
  await testDatabase.drop()
  await rm(dataDir, { recursive: true })
})

/** Returns the command line of an installation, with some variables changed. */
const withVariables = (env: Record<string, string>) =>
  cliHarness({
    DATABASE_URL: testDatabase.url,
    MASTER_KEY,
    REELGATE_DATA_DIR: dataDir,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    ...CREDENTIALS,
    ...env,
  })
const reelgate: Cli = (...args) => withVariables({})(...args)

interface ErrorDocument {
  error: { type: string; code: string; message: string; param?: string }
}

const TYPES = Object.values(ERRORS).map(({ type }) => type)

/** Returns the error of the one JSON document on stderr; throws if stderr holds anything else. */
function parseError(stderr: string): ErrorDocument['error'] {
  const { error, ...rest } = JSON.parse(stderr) as ErrorDocument
  expect(rest).toEqual({})
  expect(TYPES).toContain(error.type)
  expect(error.message).not.toBe('')
  return error
}

const pathsOf = (command: Command, path: string[] = []): string[] =>
  command.commands.length === 0
    ? [path.join(' ')]
    : command.commands.flatMap((child) => pathsOf(child, [...path, child.name()]))

describe('reelgate VERB --json', () => {
  it('is tested here for every verb', () => {
    const program = buildProgram({ out: () => {}, error: () => {} })
    expect([...pathsOf(program), ...NOUNS_WITH_ACTION].toSorted()).toEqual(names.toSorted())
  })

  it.each(names)(
    '%s: reports an unknown option as one JSON document with exit status 2',
    async (name) => {
      const run = await reelgate(...name.split(' '), ...(VERBS[name] ?? []), '--bogus', '--json')
      expect(run).toMatchObject({ status: 2, stdout: '' })
      const message = "unknown option '--bogus'"
      const error = { type: 'invalid_request_error', code: 'unknown_parameter', param: '--bogus' }
      expect(parseError(run.stderr)).toEqual({ ...error, message })
    },
  )

  // Some of them wait for a service.
  it.concurrent.each(names)(
    '%s: reports unreachable services as one JSON document with exit status 1',
    async (name) => {
      const run = await withVariables({ DATABASE_URL: AWAY_DATABASE })(
        ...name.split(' '),
        ...(VERBS[name] ?? []),
        '--json',
      )
      expect(run.status).toBe(1)
      const isReport = REPORTS.includes(name)
      const code = isReport ? 'checks_failed' : 'service_unavailable'
      expect(parseError(run.stderr)).toMatchObject({ type: 'api_error', code })
      expect(run.stderr).not.toContain('hidden')
      // A report is a result even if it contains failures.
      if (isReport) expect(JSON.parse(run.stdout)).toMatchObject({ ok: false })
      else expect(run.stdout).toBe('')
    },
  )

  it.each(names.filter((name) => !NOT_ONLY_DATABASE.includes(name)))(
    '%s: prints one JSON document in the shape and with the timestamps of the API',
    async (name) => {
      const run = await reelgate(...name.split(' '), ...(VERBS[name] ?? []), '--json')
      expect(run).toMatchObject({ status: 0, stderr: '' })
      expect(JSON.parse(run.stdout)).toEqual(expect.anything())
      SHAPES[name]?.parse(JSON.parse(run.stdout))
      const times = run.stdout.match(/"\d{4}-\d\d-\d\d[^"]*"/g) ?? []
      for (const time of times) expect(time).toMatch(/^"[^"]+T\d\d:\d\d:\d\d\.\d{3}\+00:00"$/)
      const isDated = /"(\w+_at)":"/.test(run.stdout)
      expect(times.length > 0).toBe(isDated)
    },
  )
})

describe('an error under --json', () => {
  it.each([
    [[], 2, { code: 'missing_command' }],
    [['accounts'], 2, { code: 'missing_command' }],
    [['acounts', 'list'], 2, { code: 'unknown_command', param: 'acounts' }],
    [['accounts', 'remove'], 2, { code: 'unknown_command', param: 'remove' }],
    [['accounts', 'list', 'all'], 2, { code: 'unknown_parameter' }],
    [['plan', 'show', '--account', 'anna'], 2, { code: 'invalid_parameter', param: '--account' }],
    [['settings', 'get'], 2, { code: 'invalid_parameter', param: '--account' }],
    [['videos', 'show'], 2, { code: 'invalid_parameter', param: 'video id' }],
    [['settings', 'set', ...ACCOUNT, 'x=1'], 2, { code: 'invalid_parameter' }],
    [['videos', 'show', 'b'], 1, { code: 'video_not_found' }],
    [['plan', 'show', '--account', '9'], 1, { code: 'account_not_found', param: '--account' }],
    [['keys', 'revoke', '99'], 1, { code: 'api_key_not_found' }],
    [['videos', 'retry-as-new', 'b'], 1, { code: 'video_not_found' }],
    [['deliveries', 'retry', '99'], 1, { code: 'webhook_delivery_not_found' }],
  ])('%j ends with %i and %j', async (args, status, expected) => {
    const run = await reelgate('--json', ...args)
    expect(run).toMatchObject({ status, stdout: '' })
    expect(parseError(run.stderr)).toMatchObject({ type: 'invalid_request_error', ...expected })
  })

  it.each([
    ['a wrong variable', { API_PORT: 'many' }, 'invalid_configuration'],
    ['a wrong master key', { MASTER_KEY: 'f'.repeat(64) }, 'master_key_unusable'],
    [
      'a missing instance',
      { DATABASE_URL: '', REELGATE_DATA_DIR: '/nowhere' },
      'instance_not_running',
    ],
  ])('has a code for %s', async (_what, env, code) => {
    const run = await withVariables(env)('signing-secret', 'show', ...ACCOUNT, '--json')
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(parseError(run.stderr)).toMatchObject({ code })
  })

  it('is internal_error without a stack if it is unexpected', async () => {
    const broken = await createTestDatabase()
    const db = await openDatabase({ url: broken.url })
    await db.em.fork().execute('alter table account drop column name cascade')
    await db.close(true)
    const run = await withVariables({ DATABASE_URL: broken.url })(...CREATE, '--json')
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(parseError(run.stderr)).toMatchObject({ type: 'api_error', code: 'internal_error' })
    expect(run.stderr).not.toContain('    at ')
    await broken.drop()
  })
})
