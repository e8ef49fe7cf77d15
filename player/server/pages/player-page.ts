import type { PlayerSettings } from '../../../domain/player-settings.ts'
import { directionOf } from '../../language.ts'
import type { Language } from '../../language.ts'
import type { PlayerData } from '../../player-data.ts'
import { escapeHtml, scriptJson } from './html.ts'

export interface PlayerPage {
  language: Language
  title: string
  posterUrl: string | null
  theme: PlayerSettings['theme']
  scriptUrl: string
  styleUrl: string
  data: PlayerData
}

/** The page of the iframe: it paints at once; everything heavy is loaded by its script afterwards. */
export function playerPage(page: PlayerPage): string {
  const poster = page.posterUrl === null ? '' : ` poster="${escapeHtml(page.posterUrl)}"`
  const title = escapeHtml(page.title)
  const pip = page.data.watermark === null ? '' : ' disablepictureinpicture disableremoteplayback'
  return `<!doctype html>
<html lang="${page.language}" dir="${directionOf(page.language)}" data-state="loading" data-theme="${page.theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${escapeHtml(page.styleUrl)}">
<script type="application/json" id="player-data">${scriptJson(page.data)}</script>
<script type="module" src="${escapeHtml(page.scriptUrl)}"></script>
</head>
<body class="player">
<media-controller id="player" aria-label="${title}">
<video slot="media" playsinline preload="none" crossorigin="anonymous"${poster}${pip} controlslist="nodownload noremoteplayback"></video>
<media-loading-indicator slot="centered-chrome" noautohide></media-loading-indicator>
<div slot="centered-chrome" class="centre"><media-play-button class="big"></media-play-button></div>
<media-control-bar>
<media-play-button></media-play-button>
<media-mute-button></media-mute-button>
<media-volume-range></media-volume-range>
<media-time-range></media-time-range>
<media-time-display showduration></media-time-display>
<select id="quality" aria-label="Quality"></select>
<media-playback-rate-button></media-playback-rate-button>
<media-fullscreen-button></media-fullscreen-button>
</media-control-bar>
</media-controller>
<div id="message" role="alert" hidden></div>
</body>
</html>
`
}
