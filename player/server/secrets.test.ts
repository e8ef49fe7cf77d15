import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSessionFixture, type SessionFixture } from '../../test/fixtures/playback-sessions.ts'
import { SITE } from '../../test/fixtures/viewer.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { paths } from './paths.ts'

let fixture: SessionFixture

beforeAll(async () => {
  fixture = await openSessionFixture()
})
afterAll(() => fixture.close())

describe('secrets', () => {
  it('are not in the log, even when the database fails during a request', async () => {
    const vt = fixture.vtFor('ann')
    const { session } = await fixture.openPage({ vt })
    const rename = (from: string, to: string) =>
      fixture.db.em.fork().execute(`alter table ${from} rename to ${to}`)
    await rename('playback_record', 'hidden_session')
    try {
      expect((await fixture.licence(session)).status).toBe(500)
      expect((await fixture.beat(session, { position_seconds: 1 })).status).toBe(500)
      await expect(fixture.openPage({ vt })).rejects.toThrow('500')
    } finally {
      await rename('hidden_session', 'playback_record')
    }
    expect(fixture.logged()).toContain('request failed')
    for (const secret of [vt, session, fixture.contentKey.toString('base64url')])
      for (const part of secret.split('.')) expect(fixture.logged()).not.toContain(part)
  })

  it('are not in the one line that each request has in the log', async () => {
    const vt = fixture.vtFor('ann')
    const path = `/${fixture.videoId}/${btoa(String(fixture.accountId))}`
    const page = await fetch(`${fixture.base}${path}?vt=${vt}`, { headers: { Referer: SITE } })
    const html = await page.text()
    const { session } = JSON.parse(/id="player-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as {
      session: string
    }
    const heartbeat = await fixture.beat(session)
    const refused = await fetch(`${fixture.base}/media/${fixture.videoId}/360p/9.m4s?vt=${vt}`)
    const lineOf = (response: Response) =>
      waitFor('the line', async () => {
        const id = response.headers.get('request-id') ?? ''
        const [line, ...more] = fixture
          .logged()
          .split('\n')
          .filter((one) => one.includes(id))
        expect(more).toEqual([])
        return line === undefined ? null : (JSON.parse(line) as Record<string, unknown>)
      })
    const { accountId } = fixture
    const facts = { accountId, msg: 'request', status: 200 }
    expect(await lineOf(page)).toMatchObject({ ...facts, route: '/:videoId/:account' })
    expect(await lineOf(heartbeat)).toMatchObject({ ...facts, route: paths.heartbeat })
    expect(await lineOf(refused)).toMatchObject({ route: 'segment', status: 404 })
    for (const secret of [vt, session])
      for (const part of secret.split('.')) expect(fixture.logged()).not.toContain(part)
  })

  it('are not in referrers: other hosts get the origin of the page, not its address', async () => {
    const url = `${fixture.base}/${fixture.videoId}/${btoa(String(fixture.accountId))}?vt=${fixture.vtFor('a')}`
    const page = await fetch(url, { headers: { Referer: SITE } })
    expect(page.headers.get('referrer-policy')).toMatch(
      /^(strict-origin.*|same-origin|no-referrer)$/,
    )
  })
})
