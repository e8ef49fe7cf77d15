import { appOnlyVerdict } from './browser-class.ts'
import type { BrowserClass } from './browser-class.ts'
import { matchesHost, normaliseHost, parseHostRule } from './host-name.ts'
import type { Protection } from './plan.ts'
import { isViewerTokenEnforced } from './player-settings.ts'
import type { PlayerSettings } from './player-settings.ts'
import type { VideoStatus } from './video-state.ts'

/** Everything that decides whether an embed plays, once path and video are known. */
export interface EmbedRequest {
  /** The Referer header, else Origin; null where neither was sent. */
  referrer: string | null
  settings: PlayerSettings
  protection: Protection
  /** The operator's own hosts, always let in. */
  serviceDomains: readonly string[]
  /** Host of the Direct Play pages; null where the operator has none. */
  directPlayHost: string | null
  /** What became of the vt. */
  token: 'missing' | 'expired' | 'forged' | 'malformed' | 'valid' | 'revoked'
  browser: BrowserClass
  status: VideoStatus
}

export type EmbedDecision =
  | { kind: 'play' }
  | { kind: 'wait' }
  | { kind: 'failed' }
  | { kind: 'refused'; reason: 'no_referrer' | 'domain_blocked' | 'domain_not_allowed' }
  | { kind: 'token_required'; reason: 'missing' | 'expired' | 'forged' }
  | { kind: 'app_only'; verdict: 'open_app' | 'open_edge' | 'open_safari' | 'guidance' }

/**
 * Decides in the order of design.md, section 6: referrer and domain rules, enforcement and token,
 * App-Only by browser, then what the video's state allows.
 */
export function decideEmbed(request: EmbedRequest): EmbedDecision {
  const refusal = refusalByDomain(request)
  if (refusal) return { kind: 'refused', reason: refusal }
  if (isViewerTokenEnforced(request.settings) && request.token !== 'valid')
    return {
      kind: 'token_required',
      reason: request.token === 'missing' || request.token === 'expired' ? request.token : 'forged',
    }
  if (request.settings.app_only_l3 && request.protection === 'multi-drm') {
    const verdict = appOnlyVerdict(request.browser)
    if (verdict !== 'play') return { kind: 'app_only', verdict }
  }
  switch (request.status) {
    case 'queued':
    case 'processing':
      return { kind: 'wait' }
    case 'failed':
      return { kind: 'failed' }
    case 'playable':
    case 'ready':
      return { kind: 'play' }
  }
}

function refusalByDomain(
  request: EmbedRequest,
): 'no_referrer' | 'domain_blocked' | 'domain_not_allowed' | null {
  const { referrer, settings, serviceDomains } = request
  const host = referrer === null || referrer === 'null' ? null : normaliseHost(referrer)
  if (host === null) return 'no_referrer'
  const matches = (rule: string): boolean => matchesHost(rule, host)
  if (settings.blocked_domains.some(matches)) return 'domain_blocked'
  if (settings.allowed_domains.length === 0) return null
  const isDirectPlay = settings.direct_play && host === request.directPlayHost
  const isLetIn = isDirectPlay || [...settings.allowed_domains, ...serviceDomains].some(matches)
  return isLetIn ? null : 'domain_not_allowed'
}

/**
 * The `frame-ancestors` sources that follow the same rules; any scheme's default and any port. What
 * is blocked cannot be said in this directive: the Referer check holds it.
 */
export function frameAncestors(
  settings: PlayerSettings,
  serviceDomains: readonly string[],
  directPlayHost: string | null,
): string[] {
  if (settings.allowed_domains.length === 0) return ['*']
  const rules = [...settings.allowed_domains, ...serviceDomains]
  if (settings.direct_play && directPlayHost !== null) rules.push(directPlayHost)
  return rules.flatMap((rule) => {
    const parsed = parseHostRule(rule)
    if (!parsed) return []
    const source = parsed.isWildcard ? `*.${parsed.name}` : parsed.name
    return [`https://${source}:*`, `http://${source}:*`]
  })
}
