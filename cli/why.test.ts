import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepReports } from '../commands/playback-reports/keep-reports.ts'
import { encodeFailureCode } from '../domain/playback-reports/failure-code.ts'
import { cliHarness, type Cli } from '../test/fixtures/cli.ts'
import { openDatabaseFixture, type DatabaseFixture } from '../test/fixtures/database.ts'
import { insertRow } from '../test/fixtures/insert-row.ts'

let database: DatabaseFixture
let reelgate: Cli
let account: number
let code: string

beforeAll(async () => {
  database = await openDatabaseFixture()
  reelgate = cliHarness({ DATABASE_URL: database.databaseUrl })
  const row = { name: 'One', settings: '{}', sealed_signing_secret: 'x' }
  account = Number(await insertRow(database, 'account', row))
  code = encodeFailureCode({ cause: 'domain_not_allowed', atMs: Date.now() }, 7)
  const facts = { videoId: null, viewerId: null, host: 'lms.example.org', details: {} }
  const device = { browser: 'Firefox', system: 'Linux' }
  const report = { code, accountId: account, cause: 'domain_not_allowed', ...facts } as const
  await keepReports(database.em(), [{ ...report, ...device }])
})
afterAll(() => database?.close())

describe('why', () => {
  it('finds the report in any account, and says what to do and where', async () => {
    const { status, stdout: out } = await reelgate('why', code.toLowerCase())
    expect(status).toBe(0)
    expect(out).toContain('Add lms.example.org to the allowed domains.')
    expect(out).toMatch(new RegExp(`Setting +http.*/accounts/${account}/settings/domains`))
    expect(out).toMatch(/Browser +Firefox, Linux/)
  })

  it('takes the groups of the code as words, and prints the report as JSON', async () => {
    const { json } = await reelgate('why', ...code.split('-'), '--json')
    expect(json()).toMatchObject({
      object: 'playback_report',
      code,
      account_id: account,
      cause: 'domain_not_allowed',
      host: 'lms.example.org',
      is_stored: true,
    })
  })

  it('says what the code says by itself if the named account has no report', async () => {
    const { stdout: out, status } = await reelgate('why', code, '--account', String(account + 1))
    expect(status).toBe(0)
    expect(out).toContain('The site is not in the list of allowed domains.')
    expect(out).toContain('No report is kept')
    expect(out).not.toContain('lms.example.org')
  })

  it('ends with 1 for text that is no code', async () => {
    const { status, stderr } = await reelgate('why', code.slice(1), '--json')
    expect(status).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'invalid_report_code' } })
  })
})
