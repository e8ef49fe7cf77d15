import type { Request } from 'express'
import type { Database } from '../../../db/database.ts'
import { findContentKeys } from '../../../db/ingest/content-keys.ts'
import { findLicencePolicy, findProtection, findRenditions } from '../../../db/playback/playback.ts'
import type { Protection } from '../../../domain/accounts/plan.ts'
import { DEFAULT_LICENCE_POLICY, type LicencePolicy } from '../../../domain/drm/licence-policy.ts'
import type { Rendition, TrackType } from '../../../domain/videos/rendition.ts'
import type { ServerContext } from '../deps.ts'
import { PlayerError } from '../player-error.ts'
import type { SessionResponse } from '../session.ts'
import { dashMpd } from './dash.ts'
import { createGrowingManifests } from './growing-manifests.ts'
import { hlsMaster, hlsMedia } from './hls.ts'
import { mergeKeyBoxes } from './merge-key-boxes.ts'
import type { ManifestKey, Presentation } from './presentation.ts'

const HLS_TYPE = 'application/vnd.apple.mpegurl'

/** DASH and HLS manifests, written for each request from the stored renditions; clients never cache them. */
export function manifestHandlers(context: ServerContext) {
  const growing = createGrowingManifests(context.growingVideos, (videoId, renditions) =>
    describe(context, videoId, renditions),
  )
  return {
    dash: async (request: Request, response: SessionResponse): Promise<void> => {
      const fromMs = readStart(request.query.from)
      const { videoId } = response.locals.session
      const mpd =
        fromMs === null
          ? dashMpd(mergeKeyBoxes(await load(context, response)))
          : await growing.find(videoId, fromMs)
      response.type('application/dash+xml').send(mpd)
    },

    hlsMaster: async (_request: Request, response: SessionResponse): Promise<void> => {
      response.type(HLS_TYPE).send(hlsMaster(await load(context, response)))
    },

    hlsPlaylist: async (request: Request, response: SessionResponse): Promise<void> => {
      const presentation = await load(context, response)
      const { renditions } = presentation
      const rendition = renditions.find(({ name }) => name === request.params.rendition)
      if (!rendition)
        throw new PlayerError(404, 'rendition_not_found', 'There is no such rendition.')
      response.type(HLS_TYPE).send(hlsMedia(presentation, rendition))
    },
  }
}

/** Where the list of a video that grows begins, in milliseconds; null for the manifest of a playable video. */
function readStart(from: unknown): number | null {
  if (from === undefined) return null
  const seconds = typeof from === 'string' && from !== '' ? Number(from) : NaN
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000
  throw new PlayerError(400, 'invalid_start', 'The start is not a number of seconds.')
}

/** Loads the session's video. Throws 404 `video_not_found` if it is deleted or not playable yet. */
async function load(context: ServerContext, response: SessionResponse): Promise<Presentation> {
  const { videoId } = response.locals.session
  const rows = await findRenditions(context.db.em.fork(), videoId)
  return describe(
    context,
    videoId,
    rows.map(({ facts }) => facts),
  )
}

/** Adds what manifests say of keys. Throws 404 `video_not_found` for a deleted video, and without a picture. */
async function describe(
  { db, embedBase, mediaBase }: ServerContext,
  videoId: string,
  renditions: Rendition[],
): Promise<Presentation> {
  const [keyRows, protection] = await Promise.all([
    findContentKeys(db.em.fork(), videoId),
    findProtection(db.em.fork(), videoId),
  ])
  if (protection === null || !renditions.some(({ kind }) => kind === 'video'))
    throw new PlayerError(404, 'video_not_found', 'There is no such video.')
  const keys = new Map<TrackType, ManifestKey>(
    keyRows.flatMap(({ trackTypes, keyId, systems }) =>
      groupOf({ keyIdHex: keyId, trackTypes, systems }),
    ),
  )
  const licencePolicy = await policyOf(db, videoId, protection)
  return { videoId, protection, renditions, keys, licencePolicy, mediaBase, embedBase }
}

/** One object for all tracks of a key. */
const groupOf = (key: ManifestKey): [TrackType, ManifestKey][] =>
  key.trackTypes.map((trackType) => [trackType, key])

/** ClearKey videos have no policy, and no look-up of one. */
const policyOf = async (
  db: Database,
  videoId: string,
  protection: Protection,
): Promise<LicencePolicy> =>
  (protection === 'multi-drm' ? await findLicencePolicy(db.em.fork(), videoId) : null) ??
  DEFAULT_LICENCE_POLICY
