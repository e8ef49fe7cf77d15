import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../db/database.ts'
import { PlaybackSession } from '../../db/entities/event.ts'
import { migrate } from '../../db/migrate.ts'
import { LICENCE_LIMITS } from '../../domain/limits.ts'
import { playerDataOf } from '../../test/fixtures/viewer.ts'
import { reserveServerCore } from '../cores.ts'
import { asInformation, atLeast, atMost, type Figure } from '../figure.ts'
import { percentile } from '../load.ts'
import { openBenchServers } from '../servers.ts'
import { makeVideo, measureStarts, sendFlood, type BenchVideo, type Starts } from './bench-flood.ts'

const SITE = 'https://site.example/'
const SECONDS = 30
const REQUESTS_PER_SECOND = 100
const WARM_UP_SECONDS = 10
const MARGIN_MS = 1_000

/**
 * Measures the starts of viewers of another account while one session asks for licences all the time, compared with those
 * without. The licences are of ClearKey, whose limit of a session is that of Multi-DRM.
 */
export async function benchLicenceFlood(): Promise<Figure[]> {
  const cores = reserveServerCore()
  const servers = await openBenchServers('licence-flood', cores.launcher)
  await migrate(servers.databaseUrl)
  const db = await openDatabase({ url: servers.databaseUrl, poolSize: 2 })
  try {
    const [asked, other] = [await makeVideo(db, servers), await makeVideo(db, servers)]
    const { baseUrl } = await servers.startService('player/server/main.ts', 'PLAYER_PORT', {})
    await measureStarts(baseUrl, other, WARM_UP_SECONDS)
    const idle = await measureStarts(baseUrl, other, SECONDS)
    const { sessionId, flooding } = await ask(baseUrl, asked)
    await sleep(MARGIN_MS)
    const busy = await measureStarts(baseUrl, other, SECONDS - (2 * MARGIN_MS) / 1000)
    const { sent } = await flooding
    const { keyGrants } = await db.em.fork().findOneOrFail(PlaybackSession, { id: sessionId })
    return figuresOf(idle, busy, sent, keyGrants)
  } finally {
    await db.close(true)
    await servers.close()
    cores.release()
  }
}

/** Opens a session of a viewer and asks for its key again and again. */
async function ask(origin: string, { path, keyId }: BenchVideo) {
  const page = await fetch(origin + path, { headers: { Referer: SITE } })
  const { session, sessionHeader, sessionId } = playerDataOf(await page.text())
  const flooding = sendFlood({
    origin,
    path: `/licence/clearkey/${Buffer.from(keyId, 'base64url').toString('hex')}`,
    referer: SITE,
    perSecond: REQUESTS_PER_SECOND,
    seconds: SECONDS,
    connections: 10,
    waits: false,
    headers: { [sessionHeader]: session },
  })
  return { sessionId, flooding }
}

function figuresOf(idle: Starts, busy: Starts, sent: number, granted: number): Figure[] {
  const { burst, perSecond } = LICENCE_LIMITS.session
  const times = (['pages', 'licences'] as const).map((part) => {
    const anchor = percentile(idle[part], 0.99)
    return atMost(`${part} of another account, p99`, percentile(busy[part], 0.99), 'ms', {
      anchor,
      most: 1.5,
    })
  })
  return [
    ...times,
    asInformation('licence requests of one session', sent, ''),
    atLeast('licences of the session', granted, '', { least: burst }),
    atMost('licences of the session', granted, '', { most: burst + SECONDS * perSecond }),
    atMost('starts that failed', idle.failed + busy.failed, '', { most: 0 }),
  ]
}
