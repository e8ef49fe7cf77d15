import { beforeAll, describe, expect, it } from 'vitest'
import { editSettings } from '../../../commands/settings/edit-settings.ts'
import { auditRows } from '../../../test/fixtures/audit-log.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { insertPublishedVideo } from '../../../test/fixtures/published-video.ts'

const t = setUpDashboardFixture(() => ({
  serviceDomains: ['demo.reelgate.example'],
  directPlayBase: 'https://direct.example',
}))

const test = (host: string, settings = {}) =>
  t.call('reader', 'POST', '/domain-test', { body: { host, settings } })

beforeAll(() =>
  editSettings(t.em(), t.accountId, (settings) => ({
    ...settings,
    allowed_domains: ['site.example', '*.site.example'],
    blocked_domains: ['bad.site.example'],
  })),
)

describe('POST /domain-test', () => {
  it.each([
    ['site.example', 'site.example', null],
    ['https://www.Site.example:8443/lesson?a=b', 'www.site.example', null],
    ['bad.site.example', 'bad.site.example', 'domain_blocked'],
    ['https://other.example/', 'other.example', 'domain_not_allowed'],
    ['demo.reelgate.example', 'demo.reelgate.example', null],
    ['direct.example', 'direct.example', 'domain_not_allowed'],
  ])('decides about %s as the player does', async (asked, host, reason) => {
    const { status, json } = await test(asked)
    expect(status).toBe(200)
    expect(json).toEqual({ object: 'domain_test', host, is_allowed: reason === null, reason })
  })

  it('decides by unsaved settings, and saves nothing', async () => {
    const { length } = await auditRows(t, t.accountId)
    expect((await test('other.example', { allowed_domains: [] })).json.is_allowed).toBe(true)
    expect((await test('site.example', { blocked_domains: ['site.example'] })).json.reason).toBe(
      'domain_blocked',
    )
    expect((await test('direct.example', { direct_play: true })).json.is_allowed).toBe(true)
    expect((await test('other.example')).json.is_allowed).toBe(false)
    expect(await auditRows(t, t.accountId)).toHaveLength(length)
  })

  it.each([
    ['not a host', {}, 'host'],
    ['', {}, 'host'],
    ['ftp://site.example', {}, 'host'],
    ['site.example', { allowed_domains: ['https://a.example/'] }, 'settings.allowed_domains.0'],
  ])('refuses %j with %j', async (host, settings, param) => {
    expect(await test(host, settings)).toMatchObject({ status: 422, json: { error: { param } } })
  })
})

describe('POST /domain-test/recent-hosts', () => {
  it('lists the hosts of the last day, but for the dashboard, that the rules would refuse, with their plays', async () => {
    const keys = { masterKeys: t.masterKeys, signingSecret: 'a'.repeat(64) }
    const facts = { title: 'One', accountId: t.accountId }
    const { videoId } = await insertPublishedVideo(t.db, keys, facts)
    const play = (host: string, ageHours: number, accountId = t.accountId) =>
      t.execute(
        `insert into playback_record (id, video_id, account_id, referer_host, started_at, signing_secret_version)
         values (gen_random_uuid(), ?, ?, ?, now() - ? * interval '1 hour', 1)`,
        [videoId, accountId, host, ageHours],
      )
    for (const host of ['site.example', 'old.example', 'old.example', 'bad.site.example'])
      await play(host, 1)
    await play('older.example', 30)
    await play('localhost', 1)
    await play('theirs.example', 1, t.otherAccountId)
    const test = async (settings = {}) =>
      (await t.call('reader', 'POST', '/domain-test/recent-hosts', { body: { settings } })).json
    expect(await test()).toEqual({
      object: 'recent_host_test',
      host_count: 3,
      refused: [
        { host: 'old.example', play_count: 2, reason: 'domain_not_allowed' },
        { host: 'bad.site.example', play_count: 1, reason: 'domain_blocked' },
      ],
    })
    expect((await test({ allowed_domains: [], blocked_domains: [] })).refused).toEqual([])
  })

  // A reader chooses the rules of a test, and the process decides about all hosts in one go.
  it('costs not much more than a test of one host, with as many rules and hosts as there may be', async () => {
    const keys = { masterKeys: t.masterKeys, signingSecret: 'a'.repeat(64) }
    const { videoId } = await insertPublishedVideo(t.db, keys, {
      title: 'Many',
      accountId: t.accountId,
    })
    await t.execute(
      `insert into playback_record (id, video_id, account_id, referer_host, started_at, signing_secret_version)
       select gen_random_uuid(), ?, ?, 'host-' || n || '.many.example', now(), 1 from generate_series(1, 1000) n`,
      [videoId, t.accountId],
    )
    const rules = (kind: string) =>
      Array.from({ length: 1000 }, (_, index) => `*.${kind}-${index}.example`)
    const settings = { allowed_domains: rules('allowed'), blocked_domains: rules('blocked') }
    const costOf = async (send: () => Promise<{ status: number }>) => {
      const times: number[] = []
      for (let round = 0; round < 3; round += 1) {
        const before = process.cpuUsage()
        expect((await send()).status).toBe(200)
        times.push(process.cpuUsage(before).user)
      }
      return Math.min(...times)
    }
    const one = await costOf(() => test('host-1.many.example', settings))
    const all = await costOf(() =>
      t.call('reader', 'POST', '/domain-test/recent-hosts', { body: { settings } }),
    )
    expect(all).toBeLessThan(10 * one)
  })
})
