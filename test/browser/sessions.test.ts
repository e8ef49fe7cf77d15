import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { revokeViewer } from '../../commands/viewers/revoke-viewer.ts'
import { openEmbeddedPlayerFixture } from './embedded-player.ts'
import type { EmbeddedPlayerFixture } from './embedded-player.ts'
import {
  isPaused,
  makeSmallSource,
  openBlank,
  openEmbed,
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
let fixture: EmbeddedPlayerFixture
/** Not ready, so that players send a heartbeat every five seconds. */
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  const video = await fixture.begin(await makeSmallSource(fixture, 90))
  await video.publishNextRung()
  videoId = video.videoId
}, 180_000)

afterAll(() => fixture?.close())

describe('a session', () => {
  it('continues while heartbeats are lost, and is renewed when they arrive again', async () => {
    const page = await openEmbed(fixture, videoId)
    let lost = 0
    await page.route('**/sessions/heartbeat', (route) => {
      lost += 1
      return route.abort()
    })
    await play(page)
    while (lost < 2) await sleep(200)
    await page.unroute('**/sessions/heartbeat')
    const beat = await page.waitForResponse('**/sessions/heartbeat')
    expect(beat.status()).toBe(200)
    await untilPlays(page)
    await page.context().close()
  }, 90_000)

  it('continues when the viewer token expires during playback; a reload of the page needs another token', async () => {
    await fixture.configure(ENFORCED)
    const page = await openEmbed(fixture, videoId, { vt: fixture.vt('brief', 4) })
    await play(page)
    await sleep(4_500)
    const beat = await page.waitForResponse('**/sessions/heartbeat')
    expect(beat.status()).toBe(200)
    await untilPlays(page)
    const again = await page.reload()
    expect(again?.status()).toBe(403)
    await page.context().close()
    await fixture.configure({})
  }, 90_000)

  it('ends during playback when the signing secret is rotated, and tells the viewer what to do', async () => {
    const page = await openEmbed(fixture, videoId, { vt: fixture.vt('ann') })
    await play(page)
    await fixture.rotateSecret()
    await untilMessage(page, 'secret_rotated')
    expect(await isPaused(page)).toBe(true)
    await page.waitForSelector('#message button:has-text("Reload")')
    await page.context().close()
  }, 90_000)

  it('ends during playback when the viewer is revoked', async () => {
    const page = await openEmbed(fixture, videoId, { vt: fixture.vt('mallory') })
    await play(page)
    await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'mallory')
    await untilMessage(page, 'viewer_revoked')
    expect(await isPaused(page)).toBe(true)
    await page.context().close()
  }, 90_000)

  it('shows the reason if its key is refused', async () => {
    const page = await openBlank(fixture)
    await page.route('**/licence/clearkey', async (route) => {
      await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'oscar')
      await route.continue()
    })
    await visitEmbed(fixture, page, videoId, { vt: fixture.vt('oscar') })
    await untilMessage(page, 'viewer_revoked')
    await page.context().close()
  }, 90_000)
})

describe('a lost connection', () => {
  it('of ten seconds interrupts playback, which resumes by itself', async () => {
    const page = await openEmbed(fixture, videoId)
    await play(page)
    await page.context().setOffline(true)
    await sleep(10_000)
    await page.context().setOffline(false)
    // Beyond everything that was fetched before the connection was lost.
    await seek(page, 70)
    await untilPlays(page)
    expect(await shownError(page)).toBeNull()
    await page.context().close()
  }, 90_000)

  it('during a seek delays playback, which resumes without a message', async () => {
    const page = await openEmbed(fixture, videoId)
    await play(page)
    await page.context().setOffline(true)
    await seek(page, 80)
    await sleep(10_000)
    await page.context().setOffline(false)
    await untilPlays(page)
    expect(await shownError(page)).toBeNull()
    await page.context().close()
  }, 120_000)
})

describe('a deleted video', () => {
  it('stops during playback with a message', async () => {
    const page = await openEmbed(fixture, videoId)
    await play(page)
    await fixture.db.em
      .fork()
      .execute('update video set deleted_at = now() where id = ?', [videoId])
    await untilMessage(page, 'video_deleted')
    expect(await isPaused(page)).toBe(true)
    await page.context().close()
  }, 90_000)
})
