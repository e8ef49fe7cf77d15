import { describe, expect, it } from 'vitest'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'

const PER_MEMBER = 5
const PER_ACCOUNT = 12
const t = setUpDashboardFixture(() => ({
  requestLimits: { perMember: PER_MEMBER, perAccount: PER_ACCOUNT },
}))

describe('requests of members', () => {
  it('are limited for each member and for each account', async () => {
    const read = (person: 'owner' | 'editor' | 'reader' | 'stranger', accountId = t.accountId) =>
      t.call(person, 'GET', '/v1/account', { accountId })
    const ofReader = await Promise.all(Array.from({ length: 8 }, () => read('reader')))
    const refused = ofReader.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(8 - PER_MEMBER)
    for (const { code, headers, json } of refused) {
      expect(code).toBe('rate_limited')
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(json.error?.message).toContain('You have sent too many requests.')
    }
    for (let count = 0; count < PER_MEMBER; count += 1)
      expect((await read('editor')).status).toBe(200)
    const last = await Promise.all([read('owner'), read('owner'), read('owner')])
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429])
    expect((await read('stranger', t.otherAccountId)).status).toBe(200)
  })
})
