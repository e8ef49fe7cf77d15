import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { revokeViewer } from '../../commands/viewers/revoke-viewer.ts'
import { StreamLease } from '../../db/entities/account.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { leave } from './idle-pages.ts'
import {
  hastenHeartbeats,
  isPaused,
  openBlank,
  play,
  seek,
  shownError,
  untilMessage,
  untilPlays,
  visitEmbed,
} from './viewer.ts'

const ENFORCED = {
  watermark: { enabled: true, required: true, opacity: 0.4, size: 'medium' },
} as const
const HEARTBEAT = '**/sessions/heartbeat'
let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
  await fixture.withoutRung(videoId, '240p')
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

/** Opens the embed page; its player sends heartbeats often. */
async function open(vt?: string): Promise<Page> {
  const page = await openBlank(fixture)
  await hastenHeartbeats(page)
  await visitEmbed(fixture, page, videoId, { vt })
  return page
}

/** The leases of the only limited viewer. */
async function leases(): Promise<unknown[]> {
  const [row] = await fixture.db.em.fork().find(StreamLease, {})
  return row?.leases ?? []
}

/** Expects that the server renews the session at a heartbeat that has not been sent yet. */
async function expectRenewal(page: Page): Promise<void> {
  const beat = await page.waitForRequest(HEARTBEAT)
  const response = await beat.response()
  expect(response?.status()).toBe(200)
}

describe('a session', () => {
  it('continues while heartbeats are lost, and is renewed when they arrive again', async () => {
    const page = await open()
    let lost = 0
    await page.route(HEARTBEAT, (route) => {
      lost += 1
      return route.abort()
    })
    await play(page)
    await waitFor('two lost heartbeats', async () => lost >= 2)
    await page.unroute(HEARTBEAT)
    await expectRenewal(page)
    await untilPlays(page)
    await leave(page)
  }, 90_000)

  it('continues when the viewer token expires during playback; a reload of the page needs another token', async () => {
    await fixture.configure(ENFORCED)
    const page = await open(fixture.vt('brief', 120))
    await play(page)
    // The clock of the player host, which runs in this process.
    const now = Date.now
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 121_000)
    try {
      await expectRenewal(page)
      await untilPlays(page)
      const again = await page.reload()
      expect(again?.status()).toBe(403)
    } finally {
      clock.mockRestore()
    }
    await leave(page)
    await fixture.configure({})
  }, 90_000)

  it('ends during playback when the signing secret is rotated, and tells the viewer what to do', async () => {
    const page = await open(fixture.vt('ann'))
    await play(page)
    await fixture.rotateSecret()
    await untilMessage(page, 'secret_rotated')
    expect(await isPaused(page)).toBe(true)
    await page.waitForSelector('#message button:has-text("Reload")')
    await leave(page)
  }, 90_000)

  it('ends when its viewer plays more than is allowed, and plays on after a reload', async () => {
    await fixture.configure({ concurrent_plays: { limit: 1, winner: 'newest' } })
    const first = await open(fixture.vt('liz'))
    await play(first)
    const second = await open(fixture.vt('liz'))
    await play(second)
    await untilMessage(first, 'too_many_streams')
    expect(await isPaused(first)).toBe(true)
    await first.click('#message button:has-text("Reload")')
    await untilMessage(second, 'too_many_streams')
    await play(first)
    await fixture.configure({ concurrent_plays: { limit: 1, winner: 'oldest' } })
    await second.reload()
    await untilMessage(second, 'too_many_streams')
    // A page that closes leaves its lease to the next one.
    await first.goto('about:blank')
    await waitFor('the last heartbeat of the page', async () => (await leases()).length === 0)
    await second.reload()
    await play(second)
    await Promise.all([first.context().close(), second.context().close()])
    await fixture.configure({})
  }, 120_000)

  itOfAll(
    'shows the reason if its key is refused',
    async () => {
      const page = await openBlank(fixture)
      await page.route('**/licence/clearkey', async (route) => {
        await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'oscar')
        await route.continue()
      })
      await visitEmbed(fixture, page, videoId, { vt: fixture.vt('oscar') })
      await untilMessage(page, 'viewer_revoked')
      await leave(page)
    },
    90_000,
  )
})

describe('a lost connection', () => {
  it('is bridged by the buffer, and delays playback beyond it, which resumes without a message', async () => {
    const page = await open()
    await play(page)
    const failed = { heartbeats: 0, segments: 0 }
    page.on('requestfailed', (request) => {
      if (request.url().endsWith('/sessions/heartbeat')) failed.heartbeats += 1
      if (request.url().endsWith('.m4s')) failed.segments += 1
    })
    await page.context().setOffline(true)
    await waitFor('lost heartbeats', async () => failed.heartbeats >= 2)
    await untilPlays(page)
    // Beyond everything that was fetched before the connection was lost.
    await seek(page, 50)
    await waitFor('lost segments', async () => failed.segments >= 6)
    expect(await shownError(page)).toBeNull()
    await page.context().setOffline(false)
    await untilPlays(page)
    expect(await shownError(page)).toBeNull()
    await page.context().close()
  }, 120_000)
})
