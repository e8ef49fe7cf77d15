import type { Request } from 'express'
import { findContentKeys } from '../../../db/content-keys.ts'
import { findLicencePolicy, findProtection, findRenditions } from '../../../db/playback.ts'
import type { Database } from '../../../db/database.ts'
import { DEFAULT_LICENCE_POLICY } from '../../../domain/licence-policy.ts'
import type { LicencePolicy } from '../../../domain/licence-policy.ts'
import type { Protection } from '../../../domain/plan.ts'
import type { TrackType } from '../../../domain/rendition.ts'
import type { ServerContext } from '../deps.ts'
import { PlayerError } from '../player-error.ts'
import type { SessionResponse } from '../session.ts'
import { dashMpd } from './dash.ts'
import { hlsMaster, hlsMedia } from './hls.ts'
import { mergeKeyBoxes } from './merge-key-boxes.ts'
import type { ManifestKey, Presentation } from './presentation.ts'

const HLS_TYPE = 'application/vnd.apple.mpegurl'

/** DASH and HLS manifests, written for each request from the stored renditions; never cached. */
export function manifestHandlers(context: ServerContext) {
  return {
    dash: async (_request: Request, response: SessionResponse): Promise<void> => {
      response
        .type('application/dash+xml')
        .send(dashMpd(mergeKeyBoxes(await load(context, response))))
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

/** Loads the session's video. Throws 404 `video_not_found` if it is deleted or not playable yet. */
async function load(
  { db, embedBase, mediaBase }: ServerContext,
  response: SessionResponse,
): Promise<Presentation> {
  const { videoId } = response.locals.session
  const [rows, keyRows, protection] = await Promise.all([
    findRenditions(db.em.fork(), videoId),
    findContentKeys(db.em.fork(), videoId),
    findProtection(db.em.fork(), videoId),
  ])
  const renditions = rows.map(({ facts }) => facts)
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
