import express, { Router } from 'express'
import type { NextFunction, Request, Response } from 'express'
import { DRM_SYSTEM_NAMES } from '../../domain/drm-system.ts'
import { SESSION_GRACE_MS } from '../../security/session-token.ts'
import type { ServerContext } from './deps.ts'
import { drmCertificateHandler, drmLicenceHandler } from './drm-licences.ts'
import { jsonBody } from './json-body.ts'
import { extrasHandlers } from './extras.ts'
import { licenceHandlers } from './licences.ts'
import { manifestHandlers } from './manifests/manifest-handlers.ts'
import { requirePlaylistTicket } from './manifests/playlist-ticket.ts'
import { storyboardHandlers } from './media/pictures.ts'
import { paths } from './paths.ts'
import { PlayerError, clientErrorStatus } from './player-error.ts'
import { reportHandlers, requireSession } from './session.ts'

const VIDEO = ':videoId'

/** Everything that needs a playback session. Only heartbeats accept one that has just expired. */
export function sessionRouter(context: ServerContext): Router {
  const router = Router()
  const session = requireSession(context.sessionKeys)
  const recentSession = requireSession(context.sessionKeys, SESSION_GRACE_MS)
  const ticket = requirePlaylistTicket(context)
  const manifests = manifestHandlers(context)
  const storyboards = storyboardHandlers(context)
  const extras = extrasHandlers(context)
  const licences = licenceHandlers(context)
  const reports = reportHandlers(context)

  router.get(paths.dashManifest(VIDEO), session, manifests.dash)
  router.get(paths.hlsMaster(VIDEO), session, manifests.hlsMaster)
  router.get(paths.hlsPlaylist(VIDEO, ':rendition'), session, manifests.hlsPlaylist)

  router.get(paths.signedHlsMaster(':ticket'), ticket, manifests.hlsMaster)
  router.get(paths.signedHlsPlaylist(':ticket', ':rendition'), ticket, manifests.hlsPlaylist)

  router.get(paths.extras, session, extras.list)
  router.get(paths.caption(VIDEO, ':file'), session, extras.caption)
  router.get(paths.storyboardImage(VIDEO), session, storyboards.image)
  router.get(paths.storyboardIndex(VIDEO), session, storyboards.index)

  router.post(paths.clearKeyLicence, session, jsonBody, licences.clearKey)
  router.get(paths.clearKey(':keyId'), session, licences.hlsKey)

  for (const system of DRM_SYSTEM_NAMES)
    router.post(paths.drmLicence(system), session, rawBody, drmLicenceHandler(context, system))
  for (const system of ['widevine', 'fairplay'] as const)
    router.get(paths.drmCertificate(system), drmCertificateHandler(context, system))

  router.post(paths.heartbeat, recentSession, jsonBody, reports.heartbeat)
  router.post(paths.incidents, session, jsonBody, reports.incident)
  return router
}

/** PlayReady's challenges are XML of tens of KiB. */
const parseRaw = express.raw({ limit: '128kb', type: () => true, inflate: false })

/** Reads the body as bytes, with any Content-Type. A larger one gets 413 `invalid_licence_request`. */
const rawBody = (request: Request, response: Response, next: NextFunction): void =>
  parseRaw(request, response, (error?: unknown) => {
    const status = clientErrorStatus(error)
    next(
      status === null
        ? error
        : new PlayerError(status, 'invalid_licence_request', 'The body is not a licence request.'),
    )
  })
