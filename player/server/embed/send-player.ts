import type { Response } from 'express'
import type { PlaybackFacts } from '../../../db/playback.ts'
import { resumeSeconds } from '../../../domain/resume-position.ts'
import { signSession } from '../../../security/session-token.ts'
import type { Assets } from '../assets.ts'
import { chooseLanguage } from '../choose-language.ts'
import type { PlayerDeps } from '../deps.ts'
import { textsOf } from '../pages/texts/texts-of.ts'
import { isOn } from '../../switch.ts'
import { playerPage } from '../pages/player-page.ts'
import { setPageHeaders } from '../send-page.ts'
import { SESSION_HEADER } from '../session.ts'
import type { Viewer } from './read-viewer.ts'

/**
 * Sends the page that plays a video, with the token of a new playback session. The session's row is
 * written when its first key leaves or its first heartbeat comes: many pages are never played.
 */
export function sendPlayer(
  deps: PlayerDeps,
  assets: Assets,
  key: Buffer,
  { facts, viewer, host }: { facts: PlaybackFacts; viewer: Viewer; host: string | null },
  response: Response,
): void {
  const { video, account, claimed } = facts
  const nowMs = Date.now()
  const session = signSession(
    {
      sessionId: crypto.randomUUID(),
      videoId: video.id,
      accountId: account.id,
      viewerId: viewer.viewerId,
      secretVersion: account.signingSecretVersion,
      refererHost: host,
      startedAtMs: nowMs,
    },
    key,
    nowMs,
  )
  const { watermark, theme, colors, subtitles } = account.settings
  const language = chooseLanguage(response.req)
  const texts = textsOf(language)
  const resumeMs = viewer.viewerId === null ? null : claimed.positionMs
  const isShown = watermark.enabled && viewer.viewerId !== null
  setPageHeaders(response, mediaOrigins(deps))
  sendHtml(
    response,
    playerPage({
      language,
      title: video.title,
      playText: texts.play,
      noScriptText: texts.needsScript,
      posterUrl: video.hasPoster ? `/posters/${video.id}.jpg` : null,
      theme,
      scriptUrl: assets.scriptUrl,
      plays: isOn(response.req.query.autoplay),
      styleUrl: assets.styleUrl,
      data: {
        videoId: video.id,
        session,
        sessionHeader: SESSION_HEADER,
        manifestUrl: `/media/${video.id}/manifest.mpd`,
        licenceUrl: '/licence/clearkey',
        heartbeatUrl: '/sessions/heartbeat',
        extrasUrl: '/sessions/extras',
        incidentsUrl: '/sessions/incidents',
        shakaUrl: assets.shakaUrl,
        controlsUrl: assets.controlsUrl,
        wordsUrl: assets.wordsUrls[language],
        renditions: facts.renditions,
        isComplete: video.status === 'ready',
        resumeSeconds: resumeSeconds(resumeMs, video.durationMs),
        watermark: isShown
          ? { text: viewer.viewerId ?? '', opacity: watermark.opacity, size: watermark.size }
          : null,
        isVerified: viewer.viewerId !== null,
        colors,
        subtitles,
      },
    }),
  )
}

/** Node sends head and page in one piece; Express would make a copy of the page first. */
function sendHtml(response: Response, html: string): void {
  response.setHeader('Content-Length', Buffer.byteLength(html))
  response.end(html)
}

/** Where the page's script fetches segments; a path in a policy would match itself alone. */
const mediaOrigins = ({ mediaBase, redirectOrigin }: PlayerDeps): string =>
  [new URL(mediaBase).origin, redirectOrigin].filter(Boolean).join(' ')
