import { escapeHtml } from '../../../domain/html.ts'
import { directionOf, type Language } from '../../../domain/language.ts'
import type { PlayerSettings } from '../../../domain/settings/player-settings.ts'
import type { ElementId, MenuId, PlayerData } from '../../player-data.ts'

export interface PlayerPage {
  language: Language
  title: string
  /** Label of the play button that works before the controls have loaded. */
  playText: string
  noScriptText: string
  /** The code that says so to the owner of the site, with its label. */
  noScriptCode: { label: string; code: string }
  /** Marks the page as a preview; null in every real embed. */
  previewText: string | null
  posterUrl: string | null
  /** A tiny picture to show until the poster is loaded: a WebP in Base64. */
  placeholder: string | null
  theme: PlayerSettings['theme']
  scriptUrl: string
  /** True to load Shaka Player immediately and to show the poster only if the start is slow. */
  isAutoplay: boolean
  styleUrl: string
  data: PlayerData
}

/**
 * Renders the player page. The browser paints it immediately, with the poster, and fetches its modules
 * in parallel. The script adds the words; without JavaScript the page shows only `noScriptText`.
 */
export function playerPage(page: PlayerPage): string {
  const { language, data } = page
  const title = escapeHtml(page.title)
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}" data-state="loading" data-theme="${page.theme}"${page.previewText === null ? '' : ' data-preview'}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title}</title>
${moduleScript(page.scriptUrl)}
${page.isAutoplay ? moduleScript(data.shakaUrl) : modulePreload(data.shakaUrl)}
${data.drm === null ? '' : `${modulePreload(data.drm.moduleUrl)}\n`}<link rel="stylesheet" href="${escapeHtml(page.styleUrl)}">
${page.isAutoplay ? '' : [...data.controlsUrls, data.wordsUrl, ...(data.drm ? [data.drm.wordsUrl] : [])].map(preload).join('\n')}
<script type="application/json" ${id('player-data')}>${scriptJson(data)}</script>
</head>
<body class="player" data-captions="${data.subtitles.size}">
${controller(title, page)}
<div ${id('live')} class="unseen" aria-live="polite"></div>
<dialog ${id('help')} popover></dialog>
<noscript><p class="noscript">${escapeHtml(page.noScriptText)} ${noScriptCode(page)}</p></noscript>
</body>
</html>
`
}

const noScriptCode = ({ noScriptCode: { label, code } }: PlayerPage): string =>
  `${escapeHtml(label)} <bdi dir="ltr">${escapeHtml(code)}</bdi>`

const id = (name: ElementId): string => `id="${name}"`

/** JSON for a `<script>` element: without `<`, and without U+2028, which ends a line of JavaScript. */
const scriptJson = (data: unknown): string =>
  JSON.stringify(data).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028')

const moduleScript = (url: string): string =>
  `<script type="module" src="${escapeHtml(url)}"></script>`

const modulePreload = (url: string): string =>
  `<link rel="modulepreload" href="${escapeHtml(url)}">`

// Fetched but not run: the script imports it once the video is ready to play.
const preload = (url: string): string =>
  `<link rel="preload" as="script" crossorigin href="${escapeHtml(url)}">`

function controller(title: string, page: PlayerPage): string {
  const { language, posterUrl, placeholder, data } = page
  const attribute = page.isAutoplay ? 'data-poster' : 'poster'
  const poster = posterUrl === null ? '' : ` ${attribute}="${escapeHtml(posterUrl)}"`
  const style =
    placeholder === null
      ? ''
      : ` style="--placeholder: url(data:image/webp;base64,${escapeHtml(placeholder)})"`
  const hasWatermark = data.watermark !== null
  const pip = hasWatermark ? ' disablepictureinpicture disableremoteplayback' : ''
  return `<media-controller ${id('player')} lang="${language}" aria-label="${title}" nohotkeys novolumepref nomutedpref nosubtitleslangpref defaultstreamtype="on-demand">
<video slot="media" playsinline preload="none" crossorigin="anonymous"${poster}${style}${pip} controlslist="nodownload noremoteplayback noplaybackrate"></video>
<div slot="top-chrome" class="title" dir="auto">${previewMark(page)}<bdi>${title}</bdi></div>
<media-loading-indicator slot="centered-chrome" noautohide></media-loading-indicator>
<button slot="centered-chrome" class="early" type="button" aria-label="${escapeHtml(page.playText)}" noautohide></button>
<div slot="centered-chrome" class="centre"><media-play-button class="big" notooltip>${PLAY_OR_REPLAY}</media-play-button></div>
<div ${id('flash')} slot="centered-chrome" aria-hidden="true" noautohide></div>
<div ${id('bubble')} slot="centered-chrome" hidden noautohide></div>
<div ${id('waiting')} slot="centered-chrome" aria-hidden="true" noautohide></div>
<div ${id('message')} role="alert" slot="dialog" hidden noautohide></div>
${SETTINGS}
<media-control-bar class="seek" dir="ltr"><div class="rail"><media-time-range></media-time-range><div ${id('moments')} aria-hidden="true"></div></div></media-control-bar>
<media-control-bar class="bar" dir="ltr">
<media-play-button></media-play-button>
<media-mute-button></media-mute-button>
<media-volume-range></media-volume-range>
<time-display showduration></time-display>
<span ${id('chapter')} dir="auto"></span>
<span class="space"></span>
<media-captions-button></media-captions-button>
<speed-button rates="0.75 1 1.25 1.5 2"></speed-button>
<media-settings-menu-button>${GEAR}</media-settings-menu-button>
${hasWatermark ? '' : '<media-pip-button></media-pip-button>\n'}<media-fullscreen-button></media-fullscreen-button>
</media-control-bar>
</media-controller>`
}

/** A filled icon in a box of 24 units. */
const icon = (path: string, attributes: string): string =>
  `<svg ${attributes} aria-hidden="true" viewBox="0 0 24 24"><path d="${path}"/></svg>`

const PLAY_OR_REPLAY =
  icon(
    'M7 4.2v15.6a.8.8 0 0 0 1.2.7l12.6-7.8a.8.8 0 0 0 0-1.4L8.2 3.5a.8.8 0 0 0-1.2.7Z',
    'slot="play" class="play"',
  ) +
  icon(
    'M12 5V1.8L7.2 6.4 12 11V7.6a5.9 5.9 0 1 1-5.9 5.9H3.5A8.5 8.5 0 1 0 12 5Z',
    'slot="play" class="replay"',
  )

const GEAR = icon(
  'M13.9 2.5h-3.8l-.5 2.7c-.6.2-1.2.5-1.7.9L5.3 5.2 3.4 8.5l2.1 1.8a7.6 7.6 0 0 0 0 2l0 1.4-2.1 1.8 1.9 3.3 2.6-.9c.5.4 1.1.7 1.7.9l.5 2.7h3.8l.5-2.7c.6-.2 1.2-.5 1.7-.9l2.6.9 1.9-3.3-2.1-1.8a7.6 7.6 0 0 0 0-3.4l2.1-1.8-1.9-3.3-2.6.9c-.5-.4-1.1-.7-1.7-.9l-.5-2.7ZM12 8.6a3.4 3.4 0 1 1 0 6.8 3.4 3.4 0 0 1 0-6.8Z',
  'slot="icon"',
)

const previewMark = ({ previewText }: PlayerPage): string =>
  previewText === null ? '' : `<bdi class="preview">${escapeHtml(previewText)}</bdi>`

const submenu = (word: string, menu: string, { hidden }: { hidden: boolean }): string =>
  `<media-settings-menu-item${hidden ? ' hidden' : ''}><span data-word="${word}"></span>${menu}</media-settings-menu-item>`

const plainMenu = (word: string, menu: MenuId): string =>
  `<media-chrome-menu ${id(menu)} slot="submenu" hidden><div slot="title" data-word="${word}"></div></media-chrome-menu>`

const SETTINGS = `<media-settings-menu hidden anchor="auto">
${submenu('quality', plainMenu('quality', 'quality-menu'), { hidden: true })}
${submenu('speed', '<media-playback-rate-menu slot="submenu" hidden rates="0.25 0.5 0.75 1 1.25 1.5 1.75 2"><div slot="title" data-word="speed"></div></media-playback-rate-menu>', { hidden: false })}
${submenu('captions', plainMenu('captions', 'captions-menu'), { hidden: true })}
${submenu('audio', plainMenu('audio', 'audio-menu'), { hidden: true })}
${submenu('chapters', plainMenu('chapters', 'chapters-menu'), { hidden: true })}
${submenu('moments', plainMenu('moments', 'moments-menu'), { hidden: true })}
<media-settings-menu-item ${id('keyboard-item')}><span data-word="keyboard"></span></media-settings-menu-item>
<media-settings-menu-item ${id('more-item')}><span data-word="more"></span></media-settings-menu-item>
</media-settings-menu>`
