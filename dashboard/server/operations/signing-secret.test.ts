import { describe, expect, it } from 'vitest'
import { findAccount } from '../../../db/accounts/accounts.ts'
import { openSigningSecret } from '../../../security/sealing/secret-contexts.ts'
import { auditRows } from '../../../test/fixtures/audit-log.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()
const NAME = 'Test'
const reveal = () => t.call('owner', 'POST', '/signing-secret/reveal', { body: {} })
const rotate = (name: string) =>
  t.call('owner', 'POST', '/signing-secret/rotate', { body: { account_name: name } })

async function stored() {
  const account = await findAccount(t.em(), t.accountId)
  if (!account) throw new Error('no account')
  return {
    secret: openSigningSecret(t.masterKeys, account),
    version: account.signingSecretVersion,
  }
}

describe('POST /signing-secret/reveal', () => {
  it('returns the secret, and the audit log says so without it', async () => {
    const { status, json } = await reveal()
    expect(status).toBe(200)
    expect(json).toEqual({ object: 'signing_secret', ...(await stored()) })
    const rows = await auditRows(t, t.accountId)
    expect(rows.at(-1)).toMatchObject({ action: 'signing_secret.reveal', after: { version: 1 } })
    expect(JSON.stringify(rows) + t.logged()).not.toContain(String(json.secret))
  })
})

describe('POST /signing-secret/rotate', () => {
  it('replaces the secret if the name of the account is typed', async () => {
    const before = await stored()
    const { status, json } = await rotate(NAME)
    expect(status).toBe(200)
    expect(json).toEqual({ object: 'signing_secret', ...(await stored()) })
    expect(json.secret).not.toBe(before.secret)
    expect((await auditRows(t, t.accountId)).at(-1)).toMatchObject({
      action: 'signing_secret.rotate',
      before: { version: before.version },
      after: { version: before.version + 1 },
    })
  })

  it('refuses another name, and keeps the secret', async () => {
    const before = await stored()
    const response = await rotate('Tset')
    expect(response).toMatchObject({ status: 422, json: { error: { param: 'account_name' } } })
    expect(await stored()).toEqual(before)
  })
})

describe('GET /signing-secret', () => {
  it('returns the version without the secret', async () => {
    const { status, json } = await t.call('owner', 'GET', '/signing-secret', { isStale: true })
    const { version } = await stored()
    expect([status, json]).toEqual([200, { object: 'signing_secret_version', version }])
  })
})

describe('the signing secret', () => {
  it.each(['reveal', 'rotate'])('is for owners with fresh authentication: %s', async (verb) => {
    const path = `/signing-secret/${verb}`
    const body = verb === 'rotate' ? { account_name: NAME } : {}
    expect((await t.call('editor', 'POST', path, { body })).code).toBe('insufficient_role')
    const stale = await t.call('owner', 'POST', path, { body, isStale: true })
    expect(stale).toMatchObject({ status: 403, code: 'reauthentication_required' })
    expect(stale.json.secret).toBeUndefined()
  })
})
