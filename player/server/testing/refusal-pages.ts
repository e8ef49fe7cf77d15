import { Account } from '../../../db/entities/account.ts'
import { Video } from '../../../db/entities/video.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/player-settings.ts'
import type { PlayerWorld } from './player-world.ts'

/** A page that says why a video does not play, and how to come to see it. */
export interface RefusalPage {
  name: string
  status: number
  /** Words of its English title. */
  title: string
  /** What the world has to be like; the defaults otherwise. */
  prepare?: (world: PlayerWorld, host: string) => Promise<unknown>
  /** Path and query where they are not those of the embed. */
  path?: (world: PlayerWorld) => string
  userAgent?: string
  /** True where the iframe is to send no Referer. */
  isUnreferred?: boolean
}

const ENFORCED = {
  watermark: { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true },
}
const enforce = (world: PlayerWorld) => world.configure(ENFORCED)
const appOnly = async (world: PlayerWorld) => {
  await world.setVideo({ protection: 'multi-drm' })
  await world.configure({ app_only_l3: true })
}
const withVt = (vtOf: (world: PlayerWorld) => string) => (world: PlayerWorld) =>
  `${world.embedPath}?vt=${vtOf(world)}`

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

/** Every one of them; `host` is that of the page with the iframe. */
export const REFUSAL_PAGES: RefusalPage[] = [
  { name: 'malformed', status: 400, title: 'incomplete', path: () => '/x/y' },
  {
    ...{ name: 'not-found', status: 404, title: 'not found' },
    prepare: (world) => world.setVideo({ deletedAt: new Date() }),
  },
  {
    ...{ name: 'broken', status: 500, title: 'went wrong' },
    // A secret that does not open.
    prepare: (world) =>
      world.db.em.fork().nativeUpdate(Account, world.accountId, { sealedSigningSecret: 'x' }),
    path: withVt((world) => world.vtFor('ann')),
  },
  {
    ...{ name: 'failed', status: 200, title: 'cannot be played' },
    prepare: (world) => world.setVideo({ status: 'failed' }),
  },
  {
    ...{ name: 'waiting', status: 200, title: 'being prepared' },
    prepare: (world) => world.setVideo({ status: 'queued' }),
  },
  { name: 'no-referrer', status: 403, title: 'inside a website', isUnreferred: true },
  {
    ...{ name: 'domain-blocked', status: 403, title: 'not available on this site' },
    prepare: (world, host) => world.configure({ blocked_domains: [host] }),
  },
  {
    ...{ name: 'domain-not-allowed', status: 403, title: 'not available on this site' },
    prepare: (world) => world.configure({ allowed_domains: ['other.example'] }),
  },
  { name: 'token-missing', status: 403, title: 'on its website', prepare: enforce },
  {
    ...{ name: 'token-expired', status: 403, title: 'has expired', prepare: enforce },
    path: withVt((world) => world.vtFor('ann', -1)),
  },
  {
    ...{ name: 'token-forged', status: 403, title: 'not valid', prepare: enforce },
    path: withVt((world) => world.vtFor('ann', 60, 'f'.repeat(64))),
  },
  {
    ...{ name: 'open-app', status: 403, title: 'plays in the app', prepare: appOnly },
    path: withVt((world) => world.vtFor('ann')),
    userAgent: `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${CHROME}`,
  },
  {
    ...{ name: 'open-edge', status: 403, title: 'Microsoft Edge', prepare: appOnly },
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`,
  },
  {
    ...{ name: 'open-safari', status: 403, title: 'in Safari', prepare: appOnly },
    userAgent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME}`,
  },
  {
    ...{ name: 'guidance', status: 403, title: 'This device', prepare: appOnly },
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${CHROME}`,
  },
]

/** Brings the world to where a page is shown; returns the address of the iframe. */
export async function comeTo(page: RefusalPage, world: PlayerWorld, host: string): Promise<string> {
  await resetWorld(world)
  await page.prepare?.(world, host)
  return world.base + (page.path?.(world) ?? world.embedPath)
}

/** The world as it was set up. */
async function resetWorld(world: PlayerWorld): Promise<void> {
  const em = world.db.em.fork()
  await em.nativeUpdate(Account, world.accountId, {
    settings: DEFAULT_PLAYER_SETTINGS,
    sealedSigningSecret: world.sealedSigningSecret,
  })
  const video = { status: 'ready', protection: 'clearkey', deletedAt: null } as const
  await em.nativeUpdate(Video, { id: world.videoId }, video)
}
