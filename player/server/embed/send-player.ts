import type { PlaybackFacts } from '../../../db/playback/playback.ts'
import type { LicencePolicy } from '../../../domain/drm/licence-policy.ts'
import type { Language } from '../../../domain/language.ts'
import { embedUrl, posterPath } from '../../../domain/playback/embed-url.ts'
import { resumeSeconds } from '../../../domain/playback/playback-session.ts'
import type { PlayerSettings } from '../../../domain/settings/player-settings.ts'
import { withLook, type PreviewLook } from '../../../domain/settings/preview-look.ts'
import { isPlayable } from '../../../domain/videos/video-state.ts'
import { chooseLanguage } from '../../../http/pages/choose-language.ts'
import { contentHash } from '../../../http/pages/static-files.ts'
import { isOn } from '../../embed-options.ts'
import type { PlayerData, PlayerDrm } from '../../player-data.ts'
import type { PlayerDeps, ServerContext } from '../deps.ts'
import { signedMasterPath } from '../manifests/playlist-ticket.ts'
import { newSession, watermarkOf } from '../new-session.ts'
import { textsOf } from '../pages/choose-texts.ts'
import { playerPage } from '../pages/player-page.ts'
import { setPageHeaders, type PageResponse } from '../pages/send-page.ts'
import { paths } from '../paths.ts'
import { newFailureCode } from '../playback-reports/note-refusal.ts'
import { SESSION_HEADER } from '../session.ts'
import type { Viewer } from './embed-request.ts'

/** A viewer who may play a video. */
export interface Admission {
  facts: PlaybackFacts
  viewer: Viewer
  /** Host of the site that embeds the page. */
  host: string | null
  /** The unsaved look that a preview shows; null in every real embed. */
  look: PreviewLook | null
  /** The page for a browser without hardware protection; null unless App-Only mode refuses it. */
  noHardwareUrl: string | null
}

/**
 * Returns a function that sends the player page with the token of a new playback session. The session's
 * row is written with its first key or heartbeat, because many pages are never played.
 */
export function playerSender(
  context: ServerContext,
): (admission: Admission, response: PageResponse) => void {
  const { assets, sessionKeys, licences } = context
  const mediaOrigins = mediaOriginsOf(context)
  return (admission, response) => {
    const { facts, look } = admission
    const saved = facts.account.settings
    const settings = look === null ? saved : withLook(saved, look)
    const language = chooseLanguage(response.req)
    const texts = textsOf(language)
    const playsHls = facts.policy !== null && licences?.fairplayDelivery === 'hls'
    setPageHeaders(response, mediaOrigins, { playsHls })
    sendHtml(
      response,
      playerPage({
        language,
        title: facts.video.title,
        playText: texts.play,
        noScriptText: texts.needsScript,
        noScriptCode: { label: texts.reportCode, code: newFailureCode('no_script') },
        posterUrl: facts.video.hasPoster
          ? posterPath(facts.video.id, facts.video.posterVersion)
          : null,
        placeholder: facts.video.posterPlaceholder,
        theme: settings.theme,
        previewText: look === null ? null : texts.preview,
        scriptUrl: assets.scriptUrl,
        isAutoplay: isOn(response.req.query.autoplay),
        styleUrl: assets.styleUrl,
        data: playerData(admission, context, {
          language,
          settings,
          ...newSession(admission, sessionKeys),
          playsHls,
        }),
      }),
    )
  }
}

interface PageFacts {
  language: Language
  settings: PlayerSettings
  session: string
  sessionId: string
  /** Whether Safari plays HLS playlists. */
  playsHls: boolean
}

/** Collects the data for the page's script. */
function playerData(
  { facts, viewer, noHardwareUrl }: Admission,
  context: ServerContext,
  { language, settings, session, sessionId, playsHls }: PageFacts,
): PlayerData {
  const { assets } = context
  const { video, claimed } = facts
  const fairplayHlsUrl = playsHls ? signedMasterPath(context.masterKeys, session) : null
  const { colors, subtitles, end_screen: end } = settings
  const position = viewer.viewerId !== null ? claimed : { positionMs: null, positionAgeMs: null }
  return {
    videoId: video.id,
    session,
    sessionId,
    linkUrl: linkOf(facts, context),
    sessionHeader: SESSION_HEADER,
    manifestUrl: paths.dashManifest(video.id),
    licenceUrl: video.protection === 'clearkey' ? paths.clearKeyLicence : null,
    drm: facts.policy && drmOf(facts.policy, context, { language, noHardwareUrl, fairplayHlsUrl }),
    heartbeatUrl: paths.heartbeat,
    preparationUrl: paths.preparation,
    extrasUrl: paths.extras,
    incidentsUrl: paths.incidents,
    failuresUrl: paths.failures,
    sentAtMs: Date.now(),
    shakaUrl: assets.shakaUrl,
    cmcdBase: context.sendsCmcd === true ? context.mediaBase : null,
    controlsUrls: assets.controlsUrls,
    wordsUrl: assets.wordsUrls[language],
    renditions: facts.renditions,
    isComplete: video.status === 'ready',
    isPreparing: !isPlayable(video.status),
    preparingUrl: assets.preparingUrl,
    resumeSeconds: resumeSeconds(position.positionMs, video.durationMs),
    resumeAgeMs: position.positionAgeMs,
    watermark: watermarkOf(settings, viewer.viewerId),
    viewerKey: viewer.viewerId === null ? null : contentHash(Buffer.from(viewer.viewerId)),
    colors,
    subtitles,
    end,
  }
}

/** The video's page on the Direct Play host, if the account has one. */
const linkOf = (
  { video, account }: PlaybackFacts,
  { directPlayBase }: PlayerDeps,
): string | null =>
  directPlayBase !== null && account.settings.direct_play
    ? embedUrl(directPlayBase, video.id, account.id)
    : null

/** What the page needs to ask for licences and to explain their policy. */
function drmOf(
  policy: LicencePolicy,
  { assets }: ServerContext,
  {
    language,
    ...urls
  }: Pick<PlayerDrm, 'noHardwareUrl' | 'fairplayHlsUrl'> & { language: Language },
): PlayerDrm {
  const { hdNeedsHardware, uhdNeedsHardware, outputProtection, renewalSeconds } = policy
  const licenceUrl = paths.drmLicence
  return {
    moduleUrl: assets.drmUrl,
    wordsUrl: assets.drmWordsUrls[language],
    servers: {
      widevine: {
        licenceUrl: licenceUrl('widevine'),
        certificateUrl: paths.drmCertificate('widevine'),
      },
      playready: { licenceUrl: licenceUrl('playready'), certificateUrl: null },
      fairplay: {
        licenceUrl: licenceUrl('fairplay'),
        certificateUrl: paths.drmCertificate('fairplay'),
      },
    },
    hdNeedsHardware,
    uhdNeedsHardware,
    outputProtection,
    renewalSeconds,
    ...urls,
  }
}

/** Node sends head and body in one write. `response.send` would copy the page first. */
function sendHtml(response: PageResponse, html: string): void {
  response.setHeader('Content-Length', Buffer.byteLength(html))
  response.end(html)
}

/** Origins of the segments. A policy source with a path would match only that exact path. */
const mediaOriginsOf = ({ mediaBase, redirectOrigin }: PlayerDeps): string =>
  [new URL(mediaBase).origin, redirectOrigin].filter(Boolean).join(' ')
