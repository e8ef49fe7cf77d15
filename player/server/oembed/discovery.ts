import { paths } from '../paths.ts'

const OEMBED_TYPE = 'application/json+oembed'

/** Returns the address of the oEmbed response for `link`, which has no query. */
export const oembedUrl = (embedBase: string, link: string): string =>
  `${embedBase}${paths.oembed}?${new URLSearchParams({ url: link, format: 'json' }).toString()}`

/** Returns the value of a `Link` header that announces an oEmbed response. */
export const oembedHeader = (url: string): string =>
  `<${url}>; rel="alternate"; type="${OEMBED_TYPE}"`

/** The attributes of a `<link>` that announces an oEmbed response, but for its `href`. */
export const OEMBED_LINK = `rel="alternate" type="${OEMBED_TYPE}"`
