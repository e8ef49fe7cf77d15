import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pino from 'pino'
import { chromium, type Browser } from 'playwright-core'
import { openDatabase, type Database } from '../../db/database.ts'
import { Account } from '../../db/entities/account.ts'
import { Caption, Chapter, Moment } from '../../db/entities/annotation.ts'
import { Rendition, Video } from '../../db/entities/video.ts'
import { putRendition } from '../../db/videos/write-renditions.ts'
import { embedUrl, iframeHtml } from '../../domain/playback/embed-url.ts'
import {
  DEFAULT_PLAYER_SETTINGS,
  type PlayerSettings,
} from '../../domain/settings/player-settings.ts'
import { createPlayerApp } from '../../player/server/app.ts'
import type { PlayerDeps } from '../../player/server/deps.ts'
import { openHeartbeats } from '../../player/server/heartbeats.ts'
import { parseMasterKeys, seal } from '../../security/sealing/sealing.ts'
import { signingSecretContext } from '../../security/sealing/secret-contexts.ts'
import { createStorage } from '../../storage/object-storage.ts'
import type { IngestTarget } from '../fixtures/ingest-video.ts'
import { loadPlayerAssets } from '../fixtures/player-assets.ts'
import { viewerTokenFixture } from '../fixtures/viewer.ts'
import { closeServer } from '../infrastructure/close-server.ts'
import { openParts } from '../infrastructure/open-parts.ts'
import { copyPreparedVideos, headlessChromiumPath } from '../infrastructure/services.ts'

/** The player host with the prepared videos, a site that embeds them, and a browser. */
export interface EmbeddedPlayerFixture {
  browser: Browser
  db: Database
  accountId: number
  /** Where a test ingests a video of its own. */
  target: IngestTarget
  /** The id of the video of 60 seconds with rungs of 240p and 360p and audio in English and German. */
  wideId: string
  /** The id of the vertical video of 45 seconds, with rungs of 240 × 426, 360 × 640 and 480 × 854. */
  tallId: string
  /** The origin of the player host, such as `http://127.0.0.1:1234`. */
  embedBase: string
  /** Returns the address of a page of the site, under any host name below `.localhost`. */
  siteUrl(host: string, path?: string): string
  /** Sets the response of the site at `path`. */
  servePage(path: string, html: string, headers?: Record<string, string>): void
  /**
   * Makes a video as it is before its last encoder has finished: without `rung`, and not ready, so its
   * players send a heartbeat every five seconds. Resolves to a function that publishes the rung.
   */
  withoutRung(videoId: string, rung: string): Promise<() => Promise<void>>
  embedUrl(videoId: string, vt?: string): string
  /** Returns a page with the iframe markup that the API returns, for `src`. */
  iframe(src: string): string
  configure(change: Partial<PlayerSettings>): Promise<void>
  /** Returns a viewer token, which signs the viewer in. */
  vt(viewerId: string, secondsLeft?: number): string
  /** Replaces the signing secret, like `signing-secret rotate`. */
  rotateSecret(): Promise<void>
  /** Replaces the player host by one with other dependencies. */
  restart(change?: Partial<PlayerDeps>): void
  /** The database with its account, for a dashboard. */
  prepared: { url: string; masterKey: string; accountId: number }
  /** Adds captions (one cue for each language), chapters and moments to a video. */
  annotate(videoId: string, annotations: Annotations): Promise<void>
  close(): Promise<void>
}

interface Annotations {
  /** The text of the only cue, by language. */
  captions?: Record<string, string>
  chapters?: { title: string; start: number; end: number }[]
  moments?: { label: string; timestamp: number }[]
}

/** How long `openEmbeddedPlayerFixture` may take: the first file of a run waits until the videos are encoded. */
export const PREPARED_WITHIN_MS = 600_000

/**
 * Starts the player host, the site and the browser, with a separate database and ports. `licences` are those of
 * Multi-DRM videos.
 */
export const openEmbeddedPlayerFixture = (
  licences: PlayerDeps['licences'] = null,
): Promise<EmbeddedPlayerFixture> => openParts((parts) => openPlayerParts(parts, licences))

async function openPlayerParts(
  parts: AsyncDisposableStack,
  licences: PlayerDeps['licences'],
): Promise<Omit<EmbeddedPlayerFixture, 'close'>> {
  const videos = await copyPreparedVideos()
  parts.defer(() => videos.drop())
  const { accountId, wideId, tallId } = videos
  let { signingSecret } = videos
  const db = await openDatabase({ url: videos.url, poolSize: 6 })
  parts.defer(() => db.close(true))
  const masterKeys = parseMasterKeys(videos.masterKey)
  const storage = createStorage({ driver: 'folder', dir: videos.objects })
  const [player, pages] = [createServer(), new Map<string, ServedPage>()]
  const site = createSite(pages)
  for (const server of [player, site]) parts.defer(() => closeServer(server))
  const embedBase = `http://127.0.0.1:${await listen(player)}`
  const deps: PlayerDeps = {
    db,
    masterKeys,
    storage,
    preparedAssets: await loadPlayerAssets(),
    embedBase,
    mediaBase: embedBase,
    serviceDomains: [],
    dashboardBase: 'https://dashboard.example',
    directPlayBase: 'https://watch.example',
    appStoreUrl: null,
    licences,
    heartbeats: openHeartbeats(db),
    countServed: () => {},
    trustedProxies: 0,
    logger: pino({ level: 'silent' }),
  }
  let app: RequestListener = createPlayerApp(deps)
  player.on('request', (request, response) => app(request, response))
  const sitePort = await listen(site)
  const browser = parts.adopt(await launchBrowser(), (opened) => opened.close())
  return {
    browser,
    db,
    accountId,
    target: { db, masterKeys, storage, accountId, workDir: join(videos.objects, 'work') },
    wideId,
    tallId,
    embedBase,
    siteUrl: (host, path = '/') => `http://${host}:${sitePort}${path}`,
    servePage: (path, html, headers = {}) => void pages.set(path, { html, headers }),
    withoutRung: (videoId, rung) => withoutRung(db, videoId, rung),
    embedUrl: (videoId, vt) => embedUrl(embedBase, videoId, accountId, vt),
    iframe: (src) =>
      `<!doctype html><title>Site</title><h1>A site</h1>${iframeHtml(src, 'A lesson')}`,
    async configure(change) {
      const settings = { ...DEFAULT_PLAYER_SETTINGS, ...change }
      await db.em.fork().nativeUpdate(Account, accountId, { settings })
    },
    vt: (viewerId, secondsLeft) => viewerTokenFixture(signingSecret, viewerId, secondsLeft),
    async rotateSecret() {
      signingSecret = randomBytes(32).toString('hex')
      await db.em.fork().execute(
        `update account set sealed_signing_secret = ?, signing_secret_version = signing_secret_version + 1
         where id = ?`,
        [seal(masterKeys, signingSecret, signingSecretContext(accountId)), accountId],
      )
    },
    restart: (change = {}) => void (app = createPlayerApp({ ...deps, ...change })),
    prepared: { url: videos.url, masterKey: videos.masterKey, accountId },
    annotate: (videoId, annotations) => annotate(db, videoId, annotations),
  }
}

/** What the site returns at a path. */
interface ServedPage {
  html: string
  headers: Record<string, string>
}

const createSite = (pages: Map<string, ServedPage>): Server =>
  createServer((request, response) => {
    const page = pages.get(request.url?.split('?')[0] ?? '/')
    response.writeHead(page ? 200 : 404, { 'Content-Type': 'text/html', ...page?.headers })
    response.end(page?.html ?? '')
  })

async function withoutRung(
  db: Database,
  videoId: string,
  name: string,
): Promise<() => Promise<void>> {
  const em = db.em.fork()
  const { facts } = await em.findOneOrFail(Rendition, { videoId, name })
  await em.nativeDelete(Rendition, { videoId, name })
  await em.nativeUpdate(Video, { id: videoId }, { status: 'playable' })
  return () => putRendition(db.em.fork(), videoId, facts)
}

async function annotate(
  db: Database,
  videoId: string,
  { captions = {}, chapters = [], moments = [] }: Annotations,
): Promise<void> {
  const em = db.em.fork()
  for (const [languageCode, text] of Object.entries(captions)) {
    const content = `WEBVTT\n\n00:00.000 --> 10:00.000\n${text}\n`
    const sizeBytes = content.length
    await em.insert(Caption, { videoId, languageCode, label: languageCode, content, sizeBytes })
  }
  for (const { title, start, end } of chapters)
    await em.insert(Chapter, { videoId, title, startSeconds: start, endSeconds: end })
  for (const { label, timestamp } of moments)
    await em.insert(Moment, { videoId, label, timestampSeconds: timestamp })
}

const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await headlessChromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--autoplay-policy=no-user-gesture-required',
      // A site in an insecure context; names below .localhost are secure contexts.
      '--host-resolver-rules=MAP insecure.example 127.0.0.1',
    ],
  })

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
