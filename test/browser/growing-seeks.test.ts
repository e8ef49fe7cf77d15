import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { openEmbeddedPlayerFixture, PREPARED_WITHIN_MS } from './embedded-player.ts'
import type { EmbeddedPlayerFixture } from './embedded-player.ts'
import { leave } from './idle-pages.ts'
import { openGrowingFilm } from './growing-film.ts'
import type { GrowingFilmFixture } from './growing-film.ts'
import { untilPreparing, untilTime } from './growing-page.ts'
import { isPaused, openHastened, position, seek, shownError } from './viewer.ts'

const AUTOPLAY = 'autoplay=1&muted=1'
let fixture: EmbeddedPlayerFixture
let film: GrowingFilmFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  film = await openGrowingFilm(fixture)
  videoId = film.videoId
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

describe('a seek to a part that is not ready', () => {
  it('stays there, tells the encoders, and plays when the part is there; so does one back', async () => {
    await film.begin()
    await film.publish(0)
    const page = await openHastened(fixture, videoId, { query: AUTOPLAY })
    await untilTime(page, 1)
    await seek(page, 42)
    await untilPreparing(page, 'part')
    await waitFor('the position on the server', async () => (await film.positions()).includes(42))
    expect(await position(page)).toBe(42)
    await film.publish(5)
    await untilTime(page, 43)
    // The hole before it: again the playhead stays.
    await seek(page, 30)
    await untilPreparing(page, 'part')
    await waitFor('the position on the server', async () => (await film.positions()).includes(30))
    await waitFor('the place', async () => (await position(page)) === 30)
    await film.publish(3)
    await untilTime(page, 31)
    await seek(page, 2)
    await untilTime(page, 3)
    expect(await position(page)).toBeLessThan(8)
    expect(await shownError(page)).toBeNull()
    await leave(page)
  }, 120_000)

  itOfAll(
    'keeps a viewer who has paused paused, and the rate',
    async () => {
      await film.begin()
      await film.publish(0)
      const page = await openHastened(fixture, videoId, { query: AUTOPLAY })
      await untilTime(page, 1)
      await page.evaluate(() => {
        const video = document.querySelector('video')
        if (video) video.playbackRate = 1.5
        video?.pause()
      })
      await seek(page, 42)
      await untilPreparing(page, 'part')
      await film.publish(5)
      await page.waitForSelector('html:not([data-preparing])', { state: 'attached' })
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 1)
      expect([await isPaused(page), await position(page)]).toEqual([true, 42])
      await page.evaluate(() => void document.querySelector('video')?.play())
      await untilTime(page, 42.5)
      expect(await page.evaluate(() => document.querySelector('video')?.playbackRate)).toBe(1.5)
      await leave(page)
    },
    120_000,
  )

  itOfAll(
    'shows on the seek bar what plays',
    async () => {
      await film.begin()
      await film.publish(0, 3)
      const page = await openHastened(fixture, videoId, { query: AUTOPLAY })
      await untilTime(page, 0.5)
      const parts = await page
        .locator('.ready-parts span')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).style.left))
      expect(parts).toHaveLength(2)
      expect(Number.parseFloat(parts[1] ?? '')).toBeCloseTo(40, 0)
      await film.publish(1, 2, 4, 5, 6, 7)
      await film.finish()
      await page.waitForSelector('.ready-parts', { state: 'detached' })
      await leave(page)
    },
    90_000,
  )
})
