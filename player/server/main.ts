import { openLicences } from '../../drm/licences/open-licences.ts'
import { diskSpace } from '../../processes/monitoring/disk-space.ts'
import { openEgress } from '../../processes/open-egress.ts'
import { prebuilt } from '../../processes/prebuilt.ts'
import { serve } from '../../processes/serve.ts'
import { createStorage, VIEWER_LIMITS } from '../../storage/object-storage.ts'
import { createPlayerApp } from './app.ts'
import { prepareAssets } from './assets/assets.ts'
import { startBandwidthMeter } from './bandwidth-meter.ts'
import { openHeartbeats } from './heartbeats.ts'
import { mobileAppOf } from './mobile-app/open-mobile-app.ts'
import { unreadableBody } from './player-error.ts'

/** A segment that a viewer leaves unread is in memory, and the next ones are then streamed for all. As nginx's `send_timeout`. */
const STALL_TIMEOUT_MS = 60_000

serve({
  name: 'player',
  stallTimeoutMs: STALL_TIMEOUT_MS,
  address: (config) => ({ host: config.PLAYER_HOST, port: config.PLAYER_PORT }),
  collections: ({ config: { storage } }) =>
    storage.driver === 'folder' ? [diskSpace({ storage: storage.dir })] : [],
  refusalBody: () => unreadableBody,
  createApp: async ({ config, logger, db, masterKeys, beforeStop }) => {
    const meter = startBandwidthMeter(db, logger)
    beforeStop(() => meter.stop())
    const heartbeats = openHeartbeats(db)
    beforeStop(() => heartbeats.close())
    const licences = openLicences({
      egress: await openEgress(config, logger),
      logger,
      provider: config.DRM_LICENCE_PROVIDER,
      keyModel: config.DRM_KEY_MODEL,
      fairplayDelivery: config.DRM_FAIRPLAY_DELIVERY,
      variables: config,
    })
    return createPlayerApp({
      db,
      masterKeys,
      storage: createStorage(config.storage, VIEWER_LIMITS),
      preparedAssets: await prebuilt(config.PREBUILT_DIR, 'player-assets', prepareAssets),
      embedBase: config.EMBED_BASE_URL,
      mediaBase: config.MEDIA_BASE_URL,
      sendsCmcd: config.MEDIA_CMCD === 'on',
      serviceDomains: config.serviceDomains,
      dashboardBase: config.DASHBOARD_BASE_URL,
      directPlayBase: config.DIRECT_PLAY_BASE ?? null,
      appStoreUrl: config.APP_LINK_ANDROID ?? null,
      licences,
      mobileApp: mobileAppOf(config),
      trustedProxies: config.TRUSTED_PROXIES,
      segmentCacheBytes: config.MEDIA_CACHE_MIB * 1024 ** 2,
      redirectOrigin: config.redirectOrigin ?? undefined,
      countServed: meter.count,
      heartbeats,
      logger,
    })
  },
})
