import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { BrowserContext } from 'playwright-core'
import type { Studio } from './pages.ts'
import { turn } from './rows/filled-account.ts'

/** Where the player would be; no server listens there. */
export const EMBED_BASE = 'https://play.example'

const SOURCE = fileURLToPath(new URL('../../../scripts/demo/big-buck-bunny.mp4', import.meta.url))

/** Parts of the excerpt that look like different videos: when, where, and in which light. */
const SHOTS = [
  [0.2, 'crop=1280:720:0:0'],
  [3.1, 'crop=1280:720:0:0'],
  [1.2, 'crop=608:342:660:90'],
  [4.6, 'crop=704:396:160:0'],
  [2.4, 'crop=448:252:140:10'],
  [0.9, 'crop=768:432:40:170,eq=brightness=-0.22:saturation=0.5'],
  [3.8, 'crop=640:360:300:60,hue=h=25'],
  [2.0, 'crop=1280:720:0:0,hue=h=-40:s=0.7'],
  [4.9, 'crop=512:288:500:200,eq=contrast=1.2'],
  [1.7, 'crop=960:540:0:100,hue=s=0'],
  [2.9, 'crop=384:216:80:30,hue=h=60:s=0.6'],
] as const

/** Makes the posters of all videos: JPEG, 640 pixels wide. */
export async function makePosters(): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-posters-'))
  try {
    return await Promise.all(
      SHOTS.map(async ([seconds, filter], index) => {
        const path = join(folder, `${index}.jpg`)
        await execa(
          'ffmpeg',
          [
            ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-ss', String(seconds)],
            ['-i', SOURCE, '-vf', `${filter},scale=640:360`, '-frames:v', '1', '-q:v', '3', path],
          ].flat(),
        )
        return readFile(path)
      }),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Serves posters and frames, and a still picture in place of the player. */
export const servePosters = (
  context: BrowserContext,
  { posters, accounts }: Pick<Studio, 'posters' | 'accounts'>,
): Promise<unknown> =>
  context.route(`${EMBED_BASE}/**`, async (route) => {
    const request = route.request()
    const ids = [...accounts.videos.values()]
    // Neighbours in the list look different.
    const number = ids.findIndex((id) => request.url().includes(id))
    const poster = turn(posters, Math.max(0, number))
    if (request.resourceType() === 'image')
      return route.fulfill({ contentType: 'image/jpeg', body: poster })
    if (request.resourceType() !== 'document') return route.abort()
    const source = `data:image/jpeg;base64,${turn(posters, 1).toString('base64')}`
    await route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><style>body { margin: 0; background: #000 } img { width: 100% }</style><img src="${source}" alt="">`,
    })
  })
