import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import pino from 'pino'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { embedUrl } from '../../domain/playback/embed-url.ts'
import { createPlayerApp } from '../../player/server/app.ts'
import { prepareAssets } from '../../player/server/assets/assets.ts'
import { openHeartbeats } from '../../player/server/heartbeats.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { pretendEme, WORLDS } from '../../test/browser/fake-eme.ts'
import { ingestVideo } from '../../test/fixtures/ingest-video.ts'
import { startLicenceFixture } from '../../test/fixtures/licences.ts'
import { atMost, type Figure } from '../figure.ts'
import { hasPlayed, launchBrowser, watchFirstFrame } from './browser-page.ts'
import { SITE, SOURCE, type PlayerBenchFixture } from './fixture.ts'

/** Counts the licences that a play of a video with keys for audio, SD and HD asks the provider for. */
export async function measureLicencesPerPlay({ servers }: PlayerBenchFixture): Promise<Figure[]> {
  const db = await openDatabase({ url: servers.databaseUrl, poolSize: 4 })
  const licences = await startLicenceFixture()
  try {
    const count = await countLicences(db, servers, licences)
    return [atMost('licences per play, Widevine', count, '', { most: 1 })]
  } finally {
    await licences.close()
    await db.close(true)
  }
}

async function countLicences(
  db: Database,
  { masterKey, folder }: PlayerBenchFixture['servers'],
  licences: Awaited<ReturnType<typeof startLicenceFixture>>,
): Promise<number> {
  const masterKeys = parseMasterKeys(masterKey)
  const storage = createStorage({ driver: 'folder', dir: join(folder, 'objects') })
  const protection = 'multi-drm'
  const account = { name: 'Bench Multi-DRM', protection, settings: {} } as const
  const accountId = await createAccount(db.em.fork(), masterKeys, account)
  const workDir = join(folder, 'work-drm')
  const target = { db, masterKeys, storage, workDir, accountId, protection } as const
  const videoId = await ingestVideo(SOURCE, { ...target, keyModel: 'own' })
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const base = `http://127.0.0.1:${address.port}`
  server.on(
    'request',
    createPlayerApp({
      db,
      masterKeys,
      storage,
      preparedAssets: await prepareAssets(),
      embedBase: base,
      mediaBase: base,
      serviceDomains: [],
      dashboardBase: 'https://dashboard.example',
      directPlayBase: null,
      appStoreUrl: null,
      licences: licences.open('axinom', 'own'),
      heartbeats: openHeartbeats(db),
      countServed: () => {},
      trustedProxies: 0,
      logger: pino({ level: 'silent' }),
    }),
  )
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await pretendEme(page, WORLDS.widevineHardware)
    await watchFirstFrame(page)
    const url = `${embedUrl(base, videoId, accountId)}?autoplay=1&muted=1`
    await page.goto(url, { referer: SITE })
    await hasPlayed(page)
    const certificate = Buffer.from([8, 4])
    const { seen } = licences.providers.axinom.server
    return seen.filter(({ body }) => !body.equals(certificate)).length
  } finally {
    await browser.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
