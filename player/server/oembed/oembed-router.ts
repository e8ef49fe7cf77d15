import { Router, type Request } from 'express'
import { findPicture, findPlayback, type PlaybackFacts } from '../../../db/playback/playback.ts'
import { isOpenTo, referrerHost } from '../../../domain/playback/embed-access.ts'
import { posterPath } from '../../../domain/playback/embed-url.ts'
import { posterKey } from '../../../domain/videos/media-paths.ts'
import { readPicture } from '../../../domain/videos/picture.ts'
import { ObjectNotFoundError, readRange } from '../../../storage/contract.ts'
import type { ServerContext } from '../deps.ts'
import { paths } from '../paths.ts'
import { PlayerError } from '../player-error.ts'
import {
  CACHE_SECONDS,
  oembedResponse,
  playerSize,
  type Embeddable,
  type SizeLimits,
} from './oembed-response.ts'
import { embedUrlOf, readPlayerLink, type PlayerLink } from './player-link.ts'

/**
 * GET /oembed?url=: the player of a video for the page of another site (https://oembed.com). Responds only for videos
 * that the site may embed without a viewer token; all others are 404, as if they did not exist.
 */
export function oembedRouter(context: ServerContext): Router {
  const router = Router()
  router.get(paths.oembed, async (request, response) => {
    response.set({
      'Access-Control-Allow-Origin': '*',
      Vary: 'Referer, Origin, User-Agent',
    })
    const { url, limits } = readQuery(request)
    const link = readPlayerLink(url, context)
    const facts = link && (await findPlayback(context.db, link.videoId, link.accountId, null))
    if (!facts || !mayDescribe(context, link, facts, siteOf(request))) throw notFound()
    response.locals.accountId = link.accountId
    response.set('Cache-Control', `public, max-age=${CACHE_SECONDS}`)
    response.json(oembedResponse(await embeddable(context, link, facts, limits)))
  })
  return router
}

const notFound = () =>
  new PlayerError(404, 'not_found', 'This address has no player that a site may embed.')

function readQuery({ query }: Request): { url: string; limits: SizeLimits } {
  const { url, format } = query
  if (format !== undefined && format !== 'json')
    throw new PlayerError(501, 'format_not_supported', 'The only format is json.')
  if (typeof url !== 'string') throw invalid('url')
  const limits = {
    maxWidth: readLimit(query, 'maxwidth'),
    maxHeight: readLimit(query, 'maxheight'),
  }
  return { url, limits }
}

function readLimit(query: Request['query'], name: string): number | null {
  const { [name]: text } = query
  if (text === undefined) return null
  if (typeof text !== 'string' || !/^[1-9]\d{0,4}$/.test(text)) throw invalid(name)
  return Number(text)
}

const invalid = (name: string) =>
  new PlayerError(400, 'invalid_request', `The parameter ${name} is missing or invalid.`)

/**
 * Returns the host of the site that requests a player for its page, or null if the request names none. WordPress names
 * its site in the User-Agent.
 */
function siteOf(request: Request): string | null {
  const sent = request.get('Referer') ?? request.get('Origin')
  const [, wordpress] =
    /^WordPress\/[\w.-]+; (https?:\/\/\S+)$/.exec(request.get('User-Agent') ?? '') ?? []
  return referrerHost(sent ?? wordpress ?? null)
}

function mayDescribe(
  { serviceDomains, directPlayHost }: ServerContext,
  { isDirectPlay }: PlayerLink,
  { video, account: { settings } }: PlaybackFacts,
  host: string | null,
): boolean {
  const { protection, status } = video
  return (
    (settings.direct_play || !isDirectPlay) &&
    isOpenTo({ host, settings, protection, status, serviceDomains, directPlayHost })
  )
}

async function embeddable(
  context: ServerContext,
  link: PlayerLink,
  { video }: PlaybackFacts,
  limits: SizeLimits,
): Promise<Embeddable> {
  const { db, embedBase } = context
  const picture = await findPicture(db.em.fork(), video.id)
  const posterSize = picture?.posterName
    ? await readPosterSize(context, video.id, picture.posterName)
    : null
  const url = embedBase + posterPath(video.id, video.posterVersion)
  return {
    title: video.title,
    src: embedUrlOf(link, embedBase),
    size: playerSize(picture?.size ?? null, limits),
    thumbnail: posterSize && { ...posterSize, url },
    providerUrl: embedBase,
  }
}

/** Enough for the header of a JPEG. */
const HEADER_BYTES = 64 * 1024

/** Returns the size of a stored poster, which may have another shape than the video; null if there is none. */
async function readPosterSize({ storage }: ServerContext, videoId: string, posterName: string) {
  try {
    const range = { startByte: 0, endByte: HEADER_BYTES - 1 }
    const { body } = await readRange(storage, posterKey(videoId, posterName), range)
    const picture = readPicture(body)
    return picture && { width: picture.width, height: picture.height }
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return null
    throw error
  }
}
