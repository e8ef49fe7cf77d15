import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Frame, Page } from 'playwright-core'
import { Account } from '../../../db/entities/account.ts'
import { Video } from '../../../db/entities/video.ts'
import { encodeAccountId } from '../../../domain/playback/embed-url.ts'
import { openDashboardFixture, type DashboardFixture } from '../../fixtures/dashboard.ts'
import { ingestVideo } from '../../fixtures/ingest-video.ts'
import { startLicenceFixture, type LicenceFixture } from '../../fixtures/licences.ts'
import type { RefusalFixture } from '../../fixtures/refusal-pages.ts'
import { makeSource } from '../../fixtures/sources.ts'
import { viewerTokenFixture } from '../../fixtures/viewer.ts'
import { loadBundledWeb } from '../../fixtures/web.ts'
import { openParts } from '../../infrastructure/open-parts.ts'
import { waitFor } from '../../infrastructure/wait-for.ts'
import { openEmbeddedPlayerFixture, type EmbeddedPlayerFixture } from '../embedded-player.ts'
import { leave } from '../idle-pages.ts'
import { openBlank, visitEmbed } from '../viewer.ts'

/** The site with the player. */
export const HOST = 'site.localhost'

/** How a viewer opens the embed page. */
interface Visit {
  /** `ann` by default. */
  viewerId?: string
  videoId?: string
  context?: BrowserContextOptions
  /** Called before the page is loaded. */
  before?: (page: Page) => Promise<unknown>
}

/** How a site frames a page. */
interface Framing {
  host?: string
  context?: BrowserContextOptions
  before?: (page: Page) => Promise<unknown>
  /** Changes the markup of the site. */
  change?: (html: string) => string
}

/** One player host with its site, browser, licence servers and dashboard, on which every cause comes about. */
export interface Stage extends RefusalFixture {
  player: EmbeddedPlayerFixture
  dashboard: DashboardFixture
  licences: LicenceFixture
  /** The id of a Multi-DRM video of a few seconds. */
  protectedId: string
  rotateSecret: () => Promise<void>
  blank: (context?: BrowserContextOptions) => Promise<Page>
  /** Opens the embed page like the frame of a site, muted and playing. */
  watch: (visit?: Visit) => Promise<Page>
  /** Opens a page of the site with an iframe of `src`; resolves to the iframe. */
  frame: (src: string, framing?: Framing) => Promise<Frame>
  /** Undoes something at the next `reset`. */
  defer: (undo: () => unknown) => void
  /** Leaves all pages, and restores the state after the set-up. */
  reset: () => Promise<void>
}

/** Opens the stage. Close it. */
export const openStage = (): Promise<Stage & { close: () => Promise<void> }> =>
  openParts(async (parts) => {
    const licences = parts.adopt(await startLicenceFixture(), (opened) => opened.close())
    const opened = await openEmbeddedPlayerFixture(licences.open('axinom', 'own'))
    const player = parts.adopt(opened, () => opened.close())
    const protectedId = await ingestProtected(player)
    const dashboard = await openDashboard(player)
    parts.defer(() => dashboard.close())
    // So its players send the heartbeats of every five seconds.
    await player.withoutRung(player.wideId, '240p')
    return stageOf({ player, dashboard, licences, protectedId }, await readSecret(player))
  })

type Parts = Pick<Stage, 'player' | 'dashboard' | 'licences' | 'protectedId'>

function stageOf(parts: Parts, sealedSigningSecret: string): Stage {
  const { player, licences } = parts
  const { db, accountId, embedBase: base, wideId: videoId } = player
  const embedPath = `/${videoId}/${encodeAccountId(accountId)}`
  const deferred: (() => unknown)[] = []
  const update = (change: object) => db.em.fork().nativeUpdate(Video, videoId, change)
  const setSettings = async (settings = {}) => {
    await player.configure(settings)
    return 1
  }
  const stage: Stage = {
    ...parts,
    ...visitsOf(player, (undo) => deferred.push(undo)),
    accountId,
    base,
    db,
    embedPath,
    sealedSigningSecret,
    videoId,
    configure: setSettings,
    setVideo: update,
    restart: async (change) => player.restart(change),
    page: () => fetch(base + embedPath, { headers: { Referer: player.siteUrl(HOST) } }),
    vtFor: (viewerId, seconds, secret) =>
      secret === undefined
        ? player.vt(viewerId, seconds)
        : viewerTokenFixture(secret, viewerId, seconds),
    async rotateSecret() {
      await player.rotateSecret()
      stage.sealedSigningSecret = await readSecret(player)
    },
    defer: (undo) => void deferred.push(undo),
    async reset() {
      for (const undo of deferred.splice(0).toReversed()) await undo()
      player.restart()
      for (const { server } of Object.values(licences.providers)) server.reset()
      await player.configure({})
      const { sealedSigningSecret: sealed } = stage
      await db.em.fork().nativeUpdate(Account, accountId, { sealedSigningSecret: sealed })
      await update({ status: 'playable', protection: 'clearkey', deletedAt: null })
    },
  }
  return stage
}

async function readSecret({ db, accountId }: EmbeddedPlayerFixture): Promise<string> {
  const account = await db.em.fork().findOneOrFail(Account, accountId)
  return account.sealedSigningSecret
}

function visitsOf(
  player: EmbeddedPlayerFixture,
  defer: Stage['defer'],
): Pick<Stage, 'blank' | 'watch' | 'frame'> {
  const blank: Stage['blank'] = async (context) => {
    const page = await openBlank(player, context)
    defer(() => leave(page))
    return page
  }
  return {
    blank,
    async watch({ viewerId = 'ann', videoId = player.wideId, context, before } = {}) {
      const page = await blank(context)
      await before?.(page)
      const query = 'autoplay=1&muted=1'
      await visitEmbed(player, page, videoId, { query, vt: player.vt(viewerId) })
      return page
    },
    async frame(src, { host = HOST, context, before, change = (html: string) => html } = {}) {
      const page = await blank(context)
      await before?.(page)
      player.servePage('/', change(player.iframe(src)))
      await page.goto(player.siteUrl(host))
      return waitFor('the frame', async () => page.frames()[1])
    },
  }
}

async function ingestProtected({ target }: EmbeddedPlayerFixture): Promise<string> {
  await mkdir(target.workDir, { recursive: true })
  const source = join(target.workDir, 'protected.mp4')
  await makeSource(source, { seconds: 4, size: '320x320', rate: 6, grain: false })
  return ingestVideo(source, { ...target, protection: 'multi-drm', keyModel: 'own' })
}

async function openDashboard({ prepared }: EmbeddedPlayerFixture) {
  const webRouter = await loadBundledWeb()
  // The player drops the database.
  const drop = async (): Promise<void> => undefined
  return openDashboardFixture(() => ({ webRouter }), { ...prepared, drop })
}
