import type { Response } from 'express'
import type { PlaybackFacts } from '../../../db/playback.ts'
import { resumeSeconds } from '../../../domain/resume-position.ts'
import { displayedViewerId } from '../../../domain/viewer-id.ts'
import { signSession } from '../../../security/session-token.ts'
import type { Language } from '../../language.ts'
import type { PlayerData } from '../../player-data.ts'
import type { Assets } from '../assets.ts'
import { contentHash } from '../content-hash.ts'
import { chooseLanguage } from '../choose-language.ts'
import type { PlayerDeps } from '../deps.ts'
import { textsOf } from '../pages/texts/texts-of.ts'
import { isOn } from '../../switch.ts'
import { playerPage } from '../pages/player-page.ts'
import { setPageHeaders } from '../send-page.ts'
import { SESSION_HEADER } from '../session.ts'
import type { Viewer } from './read-viewer.ts'

/** Who may watch what, and where. */
export interface Admission {
  facts: PlaybackFacts
  viewer: Viewer
  /** Of the page that embeds ours. */
  host: string | null
}

/**
 * Makes what sends the page that plays a video, with the token of a new playback session. The
 * session's row is written when its first key leaves or its first heartbeat comes: many pages are
 * never played.
 */
export function playerSender(
  deps: PlayerDeps,
  assets: Assets,
  key: Buffer,
): (admission: Admission, response: Response) => void {
  const mediaOrigins = mediaOriginsOf(deps)
  return (admission, response) => {
    const { facts } = admission
    const language = chooseLanguage(response.req)
    const texts = textsOf(language)
    setPageHeaders(response, mediaOrigins)
    sendHtml(
      response,
      playerPage({
        language,
        title: facts.video.title,
        playText: texts.play,
        noScriptText: texts.needsScript,
        posterUrl: facts.video.hasPoster ? `/posters/${facts.video.id}.jpg` : null,
        theme: facts.account.settings.theme,
        scriptUrl: assets.scriptUrl,
        plays: isOn(response.req.query.autoplay),
        styleUrl: assets.styleUrl,
        data: playerData(admission, assets, { language, session: newSession(admission, key) }),
      }),
    )
  }
}

/** What the page's script is told. */
function playerData(
  { facts, viewer }: Admission,
  assets: Assets,
  { language, session }: { language: Language; session: string },
): PlayerData {
  const { video, account, claimed } = facts
  const { watermark, colors, subtitles } = account.settings
  const left = viewer.viewerId !== null ? claimed : { positionMs: null, positionAgeMs: null }
  return {
    videoId: video.id,
    session,
    sessionHeader: SESSION_HEADER,
    manifestUrl: `/media/${video.id}/manifest.mpd`,
    licenceUrl: video.protection === 'clearkey' ? '/licence/clearkey' : null,
    heartbeatUrl: '/sessions/heartbeat',
    extrasUrl: '/sessions/extras',
    incidentsUrl: '/sessions/incidents',
    shakaUrl: assets.shakaUrl,
    controlsUrl: assets.controlsUrl,
    wordsUrl: assets.wordsUrls[language],
    renditions: facts.renditions,
    isComplete: video.status === 'ready',
    resumeSeconds: resumeSeconds(left.positionMs, video.durationMs),
    resumeAgeMs: left.positionAgeMs,
    watermark:
      watermark.enabled && viewer.viewerId !== null
        ? {
            text: displayedViewerId(viewer.viewerId),
            opacity: watermark.opacity,
            size: watermark.size,
          }
        : null,
    viewerKey: viewer.viewerId === null ? null : contentHash(Buffer.from(viewer.viewerId)),
    colors,
    subtitles,
  }
}

/** The token of a session that begins now. */
function newSession({ facts: { video, account }, viewer, host }: Admission, key: Buffer): string {
  const nowMs = Date.now()
  const session = {
    sessionId: crypto.randomUUID(),
    videoId: video.id,
    accountId: account.id,
    viewerId: viewer.viewerId,
    secretVersion: account.signingSecretVersion,
    refererHost: host,
    startedAtMs: nowMs,
  }
  return signSession(session, key, nowMs)
}

/** Node sends head and page in one piece; Express would make a copy of the page first. */
function sendHtml(response: Response, html: string): void {
  response.setHeader('Content-Length', Buffer.byteLength(html))
  response.end(html)
}

/** Where the page's script fetches segments; a path in a policy would match itself alone. */
const mediaOriginsOf = ({ mediaBase, redirectOrigin }: PlayerDeps): string =>
  [new URL(mediaBase).origin, redirectOrigin].filter(Boolean).join(' ')
