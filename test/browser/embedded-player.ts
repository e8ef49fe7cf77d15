import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import type { Database } from '../../db/database.ts'
import { Account } from '../../db/entities/account.ts'
import { Caption, Chapter, Moment } from '../../db/entities/annotation.ts'
import { embedUrl, iframeHtml } from '../../domain/embed-url.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/player-settings.ts'
import type { PlayerSettings } from '../../domain/player-settings.ts'
import { createPlayerApp } from '../../player/server/app.ts'
import { signingSecretContext } from '../../security/secret-contexts.ts'
import { parseMasterKeys, seal } from '../../security/sealing.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { beginVideo, ingestVideo } from '../fixtures/ingest-video.ts'
import type { VideoInProgress, IngestTarget } from '../fixtures/ingest-video.ts'
import { insertAccountFixture } from '../fixtures/account.ts'
import { openDatabaseFixture } from '../fixtures/database.ts'
import { viewerTokenFixture } from '../fixtures/viewer.ts'
import { chromiumPath } from '../infrastructure/services.ts'

/** The player host with videos that were really ingested, a site that embeds them, and a browser. */
export interface EmbeddedPlayerFixture {
  browser: Browser
  db: Database
  accountId: number
  /** The origin of the player host, such as `http://127.0.0.1:1234`. */
  embedBase: string
  /** Returns the address of a page of the site, under any host name below `.localhost`. */
  siteUrl(host: string, path?: string): string
  /** Sets the answer of the site at `path`. */
  servePage(path: string, html: string, headers?: Record<string, string>): void
  /** Ingests the source at `path` to `ready`; resolves to the id of its video. */
  ingest(path: string): Promise<string>
  /** Begins to ingest the source at `path`; the test publishes the rungs. */
  begin(path: string): Promise<VideoInProgress>
  embedUrl(videoId: string, vt?: string): string
  /** Returns a page with the iframe markup that the API returns, for `src`. */
  iframe(src: string): string
  configure(change: Partial<PlayerSettings>): Promise<void>
  /** Returns a viewer token, which signs the viewer in. */
  vt(viewerId: string, secondsLeft?: number): string
  /** Replaces the signing secret, like `signing-secret rotate`. */
  rotateSecret(): Promise<void>
  /** Adds captions (one cue for each language), chapters and moments to a video. */
  annotate(videoId: string, annotations: Annotations): Promise<void>
  /** A folder for the files of the test. */
  folder: string
  close(): Promise<void>
}

interface Annotations {
  /** The text of the only cue, by language. */
  captions?: Record<string, string>
  chapters?: { title: string; start: number; end: number }[]
  moments?: { label: string; timestamp: number }[]
}

/** Starts the player host, the site and the browser, with a separate database, storage and ports. */
export async function openEmbeddedPlayerFixture(): Promise<EmbeddedPlayerFixture> {
  const [database, folder, browser] = await Promise.all([
    openDatabaseFixture(6),
    mkdtemp(join(tmpdir(), 'reelgate-player-')),
    launchBrowser(),
  ])
  const { db } = database
  const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
  const storage = createStorage({ driver: 'folder', dir: join(folder, 'objects') })
  let signingSecret = randomBytes(32).toString('hex')
  const accountId = await insertAccountFixture(db, masterKeys, signingSecret)
  const player = createServer()
  const embedBase = `http://127.0.0.1:${await listen(player)}`
  player.on(
    'request',
    await createPlayerApp({
      db,
      masterKeys,
      storage,
      embedBase,
      mediaBase: embedBase,
      serviceDomains: [],
      dashboardBase: 'https://dashboard.example',
      directPlayBase: null,
      appStoreUrl: null,
      countServed: () => {},
      trustedProxies: 0,
      logger: pino({ level: 'silent' }),
    }),
  )
  const pages = new Map<string, { html: string; headers: Record<string, string> }>()
  const site = createServer((request, response) => {
    const page = pages.get(request.url?.split('?')[0] ?? '/')
    response.writeHead(page ? 200 : 404, { 'Content-Type': 'text/html', ...page?.headers })
    response.end(page?.html ?? '')
  })
  const sitePort = await listen(site)
  const target: IngestTarget = { db, masterKeys, storage, accountId, workDir: join(folder, 'work') }
  return {
    browser,
    db,
    accountId,
    embedBase,
    folder,
    siteUrl: (host, path = '/') => `http://${host}:${sitePort}${path}`,
    servePage: (path, html, headers = {}) => void pages.set(path, { html, headers }),
    ingest: (path) => ingestVideo(path, target),
    begin: (path) => beginVideo(path, target),
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
    annotate: (videoId, annotations) => annotate(db, videoId, annotations),
    async close() {
      await browser.close()
      for (const server of [player, site]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
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
    executablePath: await chromiumPath(),
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
