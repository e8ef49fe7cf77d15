import type { FailureText } from './failure-texts.ts'
import type { PlaybackCause } from './playback-causes.ts'

/** What a report knows, for the sentences about it. Null is not known. */
export interface FailureFacts {
  host: string | null
  viewer: string | null
  /** Browser and system, such as `Firefox on Linux`. */
  device: string | null
  /** How long ago the viewer token expired, in words. */
  ago: string | null
  /** The HTTP status of a fault of a server. */
  status: string | null
}

/** What happened and what to do, in sentences. */
export interface Explanation {
  message: string
  next: string
}

/** Returns the sentences of a cause with the facts of a report, or without those that are not known. */
export function explainFailure(text: FailureText, facts: FailureFacts): Explanation {
  return {
    message: fillIn(text.messageWithFacts, facts) ?? text.message,
    next: fillIn(text.nextWithFacts, facts) ?? text.next,
  }
}

/** Returns null if there is no text, or if it names a fact that is not known. */
function fillIn(text: string | undefined, facts: FailureFacts): string | null {
  if (text === undefined) return null
  const known = new Map<string, string | null>(Object.entries(facts))
  let isComplete = true
  const filled = text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const fact = known.get(name)
    if (fact === null || fact === undefined) isComplete = false
    return fact ?? ''
  })
  return isComplete ? filled : null
}

/** Returns the status that a player got, if it says that the server is at fault and not the connection. */
export const faultStatus = (status: number | null): string | null =>
  status !== null && status >= 500 ? String(status) : null

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const

/** A duration as in `3 h`: whole units of the largest that fits, rounded down. */
export function shortDuration(seconds: number): string {
  const [length, unit] = UNITS.find(([one]) => seconds >= one) ?? [1, 's']
  return `${Math.floor(seconds / length)} ${unit}`
}

/** The page of the dashboard on which the next step is done. */
export type FailureSetting =
  | 'domains'
  | 'viewer_tokens'
  | 'protection'
  | 'viewers'
  | 'embed'
  | 'video'
  | 'security_events'
  | 'quick_start'

const SETTINGS: Partial<Record<PlaybackCause, FailureSetting>> = {
  malformed: 'embed',
  not_found: 'embed',
  direct_play_not_found: 'protection',
  rate_limited: 'quick_start',
  video_failed: 'video',
  no_referrer: 'embed',
  domain_blocked: 'domains',
  domain_not_allowed: 'domains',
  token_missing: 'quick_start',
  token_expired: 'quick_start',
  token_forged: 'viewer_tokens',
  exp_in_milliseconds: 'quick_start',
  viewer_revoked: 'viewers',
  open_app: 'protection',
  open_edge: 'protection',
  open_safari: 'protection',
  guidance: 'protection',
  no_hardware: 'protection',
  no_script: 'embed',
  no_encrypted_media: 'embed',
  sandboxed: 'embed',
  insecure: 'embed',
  video_deleted: 'embed',
  too_many_streams: 'protection',
  watermark_lost: 'viewer_tokens',
  watermark: 'security_events',
  failed: 'video',
  app_playback_off: 'protection',
  video_not_ready: 'video',
}

/** Returns where the next step is done; null if it is not done in the dashboard. */
export const settingOf = (cause: PlaybackCause): FailureSetting | null => SETTINGS[cause] ?? null

/** Returns the page of a setting, below that of the account. Without a video, the list of videos is the page of one. */
export function settingPath(setting: FailureSetting, videoId: string | null): string {
  const video = videoId === null ? 'videos' : `videos/${videoId}`
  switch (setting) {
    case 'domains':
      return 'settings/domains'
    case 'viewer_tokens':
      return 'settings/watermark'
    case 'protection':
      return 'settings/protection'
    case 'viewers':
      return 'security/viewers'
    case 'security_events':
      return 'security/events'
    case 'quick_start':
      return 'developers'
    case 'embed':
      return videoId === null ? video : `${video}/embed`
    case 'video':
      return video
  }
}
