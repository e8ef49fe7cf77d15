import { framePath, FRAMES_PATH, POSTERS_PATH } from '../../domain/playback/embed-url.ts'

const ASSETS = '/assets'
const LICENCE = '/licence'
const DRM_LICENCES = '/licences'
const HLS = '/hls'
const MEDIA = '/media'
const SESSIONS = '/sessions'
const MOBILE_APP = '/app'
const OEMBED = '/oembed'

/**
 * Paths of the player host, for links and for routes: with a parameter such as `:videoId`, each
 * function returns the pattern of its Express route. The embed page has `embedUrl` in the domain.
 */
export const paths = {
  embedScript: '/embed.js',
  oembed: OEMBED,
  asset: (file: string): string => `${ASSETS}/${file}`,
  poster: (file: string): string => `${POSTERS_PATH}/${file}`,
  frame: framePath,

  dashManifest: (videoId: string): string => `${MEDIA}/${videoId}/manifest.mpd`,
  hlsMaster: (videoId: string): string => `${MEDIA}/${videoId}/master.m3u8`,
  hlsPlaylist: (videoId: string, rendition: string): string =>
    `${MEDIA}/${videoId}/${rendition}.m3u8`,
  /**
   * Playlists of a session, for players that send no header. The ticket names the session; the playlists name
   * each other relatively.
   */
  signedHlsMaster: (ticket: string): string => `${HLS}/${ticket}/master.m3u8`,
  signedHlsPlaylist: (ticket: string, rendition: string): string =>
    `${HLS}/${ticket}/${rendition}.m3u8`,
  /** Folder of a rendition's segments. */
  rendition: (videoId: string, rendition: string): string => `${MEDIA}/${videoId}/${rendition}`,
  /**
   * Folder of a rendition that may grow. A video that is encoded again after all has other segments under the same
   * numbers, and caches keep segments for a year, so the attempt that made the first chunk is in the address.
   */
  growingRendition: (videoId: string, rendition: string, token: string): string =>
    `${MEDIA}/${videoId}/${rendition}/${token}`,
  caption: (videoId: string, file: string): string => `${MEDIA}/${videoId}/captions/${file}`,
  storyboardImage: (videoId: string): string => `${MEDIA}/${videoId}/storyboard.jpg`,
  storyboardIndex: (videoId: string): string => `${MEDIA}/${videoId}/storyboard.vtt`,

  clearKeyLicence: `${LICENCE}/clearkey`,
  /** HLS players fetch each key from an address. */
  clearKey: (keyIdHex: string): string => `${LICENCE}/clearkey/${keyIdHex}`,
  /** Licences of a DRM system: what the CDM writes and reads, without framing. */
  drmLicence: (system: string): string => `${DRM_LICENCES}/${system}`,
  drmCertificate: (system: string): string => `${DRM_LICENCES}/${system}/certificate`,
  /** Where the mobile app gets a challenge, and a session for it. */
  appChallenges: `${MOBILE_APP}/challenges`,
  appSessions: `${MOBILE_APP}/sessions`,
  heartbeat: `${SESSIONS}/heartbeat`,
  /** What plays of the session's video while it is prepared, for the place in `at`. */
  preparation: `${SESSIONS}/preparation`,
  extras: `${SESSIONS}/extras`,
  incidents: `${SESSIONS}/incidents`,
  failures: `${SESSIONS}/failures`,
} as const

const SCRIPT_PREFIXES = [
  ASSETS,
  LICENCE,
  DRM_LICENCES,
  MEDIA,
  HLS,
  SESSIONS,
  MOBILE_APP,
  POSTERS_PATH,
  FRAMES_PATH,
]
const SCRIPT_PATH = new RegExp(`^((${SCRIPT_PREFIXES.join('|')})/|${OEMBED}$)`)

/** True for paths that the mobile app requests. */
export const isAppPath = (path: string): boolean => path.startsWith(`${MOBILE_APP}/`)

/** True for paths that players and scripts request. The path of a page begins with a video id. */
export const isScriptPath = (path: string): boolean => SCRIPT_PATH.test(path)
