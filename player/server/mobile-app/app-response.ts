import type { z } from 'zod'
import type { PlaybackFacts } from '../../../db/playback/playback.ts'
import type { DrmSystemName } from '../../../domain/drm/drm-system.ts'
import { DEFAULT_LICENCE_POLICY } from '../../../domain/drm/licence-policy.ts'
import { resumeSeconds } from '../../../domain/playback/playback-session.ts'
import type { ServerContext } from '../deps.ts'
import type { Viewer } from '../embed/embed-request.ts'
import { signedMasterPath } from '../manifests/playlist-ticket.ts'
import { newSession, watermarkOf } from '../new-session.ts'
import { paths } from '../paths.ts'
import { SESSION_HEADER } from '../session.ts'
import type { sessionResponse } from './schemas.ts'

type SessionResponse = z.infer<typeof sessionResponse>

/** What the app needs to play a video, with the token of a new session. Addresses are absolute. */
export function appResponse(
  { embedBase, masterKeys, sessionKeys }: ServerContext,
  { facts, viewer }: { facts: PlaybackFacts; viewer: Viewer },
): SessionResponse {
  const { video, account, claimed } = facts
  const { id, title, status, durationMs } = video
  const positionMs = viewer.viewerId === null ? null : claimed.positionMs
  const { session } = newSession({ facts, viewer, host: null }, sessionKeys)
  return {
    session,
    session_header: SESSION_HEADER,
    heartbeat_url: embedBase + paths.heartbeat,
    extras_url: embedBase + paths.extras,
    video: {
      id,
      title,
      duration_seconds: durationMs === null ? null : durationMs / 1000,
      is_complete: status === 'ready',
    },
    resume_seconds: resumeSeconds(positionMs, durationMs),
    manifests: {
      dash_url: embedBase + paths.dashManifest(id),
      hls_url: embedBase + signedMasterPath(masterKeys, session),
    },
    licences: licencesOf(embedBase),
    watermark: watermarkOf(account.settings, viewer.viewerId),
    policy: policyOf(facts),
  }
}

function licencesOf(embedBase: string): SessionResponse['licences'] {
  const serverOf = (system: DrmSystemName, hasCertificate: boolean) => ({
    licence_url: embedBase + paths.drmLicence(system),
    certificate_url: hasCertificate ? embedBase + paths.drmCertificate(system) : null,
  })
  return {
    widevine: serverOf('widevine', true),
    playready: serverOf('playready', false),
    fairplay: serverOf('fairplay', true),
  }
}

function policyOf({ policy }: PlaybackFacts): SessionResponse['policy'] {
  const { hdNeedsHardware, uhdNeedsHardware, outputProtection, licenceSeconds, renewalSeconds } =
    policy ?? DEFAULT_LICENCE_POLICY
  return {
    block_screen_capture: true,
    allow_offline: false,
    hd_needs_hardware: hdNeedsHardware,
    uhd_needs_hardware: uhdNeedsHardware,
    output_protection: outputProtection,
    licence_seconds: licenceSeconds,
    renewal_seconds: renewalSeconds,
  }
}
