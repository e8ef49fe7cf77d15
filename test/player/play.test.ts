import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { makeFilm } from '../service/make-film.ts'
import { openPlayerWorld } from './player-world.ts'
import type { PlayerWorld } from './player-world.ts'

let world: PlayerWorld
let videoId: string

beforeAll(async () => {
  world = await openPlayerWorld()
  const film = join(world.folder, 'film.mp4')
  await makeFilm(film, { seconds: 12, size: '854x480' })
  videoId = await world.ingest(film)
}, 120_000)

afterAll(() => world?.close())

describe('a film in an iframe of another site', () => {
  it('plays', async () => {
    world.servePage('/', world.iframe(world.embedUrl(videoId)))
    const page = await world.browser.newPage()
    await page.goto(world.siteUrl('site.localhost'))
    const frame = page.frames()[1]
    await frame?.waitForSelector('html[data-state="ready"]')
    await frame?.evaluate(() => document.querySelector('video')?.play())
    await frame?.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1)
    expect(page.frames().length).toBe(2)
    await page.close()
  }, 60_000)
})
