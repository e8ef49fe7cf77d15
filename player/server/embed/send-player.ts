import type { Response } from 'express'
import { countRenditions, insertSession } from '../../../db/playback.ts'
import type { PlaybackFacts } from '../../../db/playback.ts'
import { normaliseHost } from '../../../domain/host-name.ts'
import { signSession } from '../../../security/session-token.ts'
import type { Assets } from '../assets.ts'
import { chooseLanguage } from '../choose-language.ts'
import type { PlayerDeps } from '../deps.ts'
import { playerPage } from '../pages/player-page.ts'
import { setPageHeaders } from '../send-page.ts'
import { SESSION_HEADER } from '../session.ts'
import type { Viewer } from './read-viewer.ts'

/** Begins a playback session and sends the page that plays it. */
export async function sendPlayer(
  deps: PlayerDeps,
  assets: Assets,
  key: Buffer,
  { facts, viewer, referrer }: { facts: PlaybackFacts; viewer: Viewer; referrer: string | null },
  response: Response,
): Promise<void> {
  const { video, account } = facts
  const em = deps.db.em.fork()
  const sessionId = crypto.randomUUID()
  const secretVersion = account.signingSecretVersion
  await insertSession(em, {
    id: sessionId,
    accountId: account.id,
    videoId: video.id,
    viewerId: viewer.viewerId,
    signingSecretVersion: secretVersion,
    refererHost: normaliseHost(referrer ?? ''),
    userAgent: response.req.get('User-Agent')?.slice(0, 300) ?? null,
  })
  const renditions = await countRenditions(em, video.id)
  const session = signSession(
    {
      sessionId,
      videoId: video.id,
      accountId: account.id,
      viewerId: viewer.viewerId,
      secretVersion,
    },
    key,
    Date.now(),
  )
  const { watermark, theme, colors, subtitles } = account.settings
  const language = chooseLanguage(response.req)
  const isShown = watermark.enabled && viewer.viewerId !== null
  setPageHeaders(response, deps.mediaBase)
  response.send(
    playerPage({
      language,
      title: video.title,
      posterUrl: video.hasPoster ? `/posters/${video.id}.jpg` : null,
      theme,
      scriptUrl: assets.scriptUrl,
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
        wordsUrl: assets.wordsUrls[language],
        renditions,
        isComplete: video.status === 'ready',
        watermark: isShown
          ? { text: viewer.viewerId ?? '', opacity: watermark.opacity, size: watermark.size }
          : null,
        resumeSeconds: null,
        isVerified: viewer.viewerId !== null,
        colors,
        subtitles,
      },
    }),
  )
}
