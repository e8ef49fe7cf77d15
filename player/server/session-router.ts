import { Router } from 'express'
import { DRM_SYSTEM_NAMES } from '../../domain/drm/drm-system.ts'
import { SESSION_GRACE_MS } from '../../security/tokens/session-token.ts'
import type { ServerContext } from './deps.ts'
import { extrasHandlers } from './extras.ts'
import { preparationHandler } from './growing/preparation-handler.ts'
import { jsonBody, licenceRequestBody } from './json-body.ts'
import { licenceHandlers } from './licences/clear-key-licences.ts'
import { drmCertificateHandler, drmLicenceHandler } from './licences/drm-licences.ts'
import { manifestHandlers } from './manifests/manifest-handlers.ts'
import { requirePlaylistTicket } from './manifests/playlist-ticket.ts'
import { storyboardHandlers } from './media/pictures.ts'
import { paths } from './paths.ts'
import { playerFailureHandler } from './playback-reports/player-failures.ts'
import { limitLicences, limitWrites, reportHandlers, requireSession } from './session.ts'

const VIDEO = ':videoId'

/** Everything that needs a playback session. Only heartbeats accept one that has just expired. */
export function sessionRouter(context: ServerContext): Router {
  const router = Router()
  const session = requireSession(context.sessionKeys)
  const recentSession = requireSession(context.sessionKeys, SESSION_GRACE_MS)
  const writes = limitWrites(context)
  const ticket = requirePlaylistTicket(context)
  const manifests = manifestHandlers(context)
  const storyboards = storyboardHandlers(context)
  const extras = extrasHandlers(context)
  const licences = licenceHandlers(context)
  const reports = reportHandlers(context)
  const json = jsonBody(context.bodies)
  const licenceRequest = licenceRequestBody(context.bodies)

  router.get(paths.dashManifest(VIDEO), session, manifests.dash)
  router.get(paths.hlsMaster(VIDEO), session, manifests.hlsMaster)
  router.get(paths.hlsPlaylist(VIDEO, ':rendition'), session, manifests.hlsPlaylist)

  router.get(paths.signedHlsMaster(':ticket'), ticket, manifests.hlsMaster)
  router.get(paths.signedHlsPlaylist(':ticket', ':rendition'), ticket, manifests.hlsPlaylist)

  router.get(paths.extras, session, extras.list)
  router.get(paths.caption(VIDEO, ':file'), session, extras.caption)
  router.get(paths.storyboardImage(VIDEO), session, storyboards.image)
  router.get(paths.storyboardIndex(VIDEO), session, storyboards.index)

  const limit = limitLicences(context, false)
  router.post(paths.clearKeyLicence, session, limit, writes, json, licences.clearKey)
  router.get(paths.clearKey(':keyId'), session, limit, writes, licences.hlsKey)

  for (const system of DRM_SYSTEM_NAMES)
    router.post(
      paths.drmLicence(system),
      session,
      limitLicences(context, true),
      writes,
      licenceRequest,
      drmLicenceHandler(context, system),
    )
  for (const system of ['widevine', 'fairplay'] as const)
    router.get(paths.drmCertificate(system), drmCertificateHandler(context, system))

  router.get(paths.preparation, recentSession, preparationHandler(context))
  router.post(paths.heartbeat, recentSession, writes, json, reports.heartbeat)
  router.post(paths.incidents, session, writes, json, reports.incident)
  router.post(paths.failures, recentSession, json, playerFailureHandler(context))
  return router
}
