import { embedUrl } from '../../../domain/playback/embed-url.ts'
import { readOptions } from '../../embed-options.ts'
import { readEmbedPath } from '../embed/embed-request.ts'

/** An address that a person copied from a page of the player host or of the Direct Play host. */
export interface PlayerLink {
  videoId: string
  accountId: number
  isDirectPlay: boolean
  /** The playback options of the link, as the query of an embed address. */
  options: URLSearchParams
}

/** Public addresses without a trailing slash. */
export interface LinkBases {
  embedBase: string
  directPlayBase: string | null
}

/**
 * Reads the address of an embed page or a Direct Play page. Returns null for any other text. Nothing of the text is
 * kept but ids and valid options: no viewer token, because a response of oEmbed is published and cached.
 */
export function readPlayerLink(
  text: string,
  { embedBase, directPlayBase }: LinkBases,
): PlayerLink | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const embedPath = pathBelow(embedBase, url)
  const path = embedPath ?? (directPlayBase === null ? null : pathBelow(directPlayBase, url))
  const [, videoId, account] = /^\/([^/]+)\/([^/]+)$/.exec(path ?? '') ?? []
  if (videoId === undefined || account === undefined) return null
  const ids = readEmbedPath({ videoId, account: account.replaceAll(/%3d/gi, '=') })
  return ids && { ...ids, isDirectPlay: embedPath === null, options: optionsOf(url.search) }
}

/** Returns the address of the embed page that a link leads to. */
export const embedUrlOf = (
  { videoId, accountId, options }: PlayerLink,
  embedBase: string,
): string => {
  const url = embedUrl(embedBase, videoId, accountId)
  return options.size > 0 ? `${url}?${options.toString()}` : url
}

/** Returns the path of `url` below `base`; null if it is an address of another host. */
function pathBelow(base: string, url: URL): string | null {
  const { origin, pathname } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  const isBelow = url.origin === origin && url.pathname.startsWith(`${prefix}/`)
  return isBelow && url.username === '' && url.password === ''
    ? url.pathname.slice(prefix.length)
    : null
}

/** Returns the valid options without `autoplay`: in an article or an editor, the reader starts the video. */
function optionsOf(query: string): URLSearchParams {
  const { muted, loop, together, startSeconds, captions } = readOptions(query)
  const lang = new URLSearchParams(query).get('lang') ?? ''
  const options = new URLSearchParams()
  if (muted) options.set('muted', '1')
  if (loop) options.set('loop', '1')
  if (together) options.set('together', '1')
  if (startSeconds !== null && startSeconds > 0) options.set('start', String(startSeconds))
  if (/^[\w-]{2,35}$/.test(lang)) options.set('lang', lang)
  if (captions !== null) options.set('captions', captions)
  return options
}
