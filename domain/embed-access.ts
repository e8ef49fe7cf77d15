import { appOnlyVerdict } from './browser-class.ts'
import type { BrowserClass } from './browser-class.ts'
import { isIpv6Host, matchesHost, normaliseHost, parseHostRule } from './host-name.ts'
import type { Protection } from './plan.ts'
import { isViewerTokenEnforced } from './player-settings.ts'
import type { PlayerSettings } from './player-settings.ts'
import type { VideoStatus } from './video-state.ts'

/** The hosts that are let in beside those that the account lists. */
interface OperatorHosts {
  /** The operator's own hosts, always let in. */
  serviceDomains: readonly string[]
  /** Host of the Direct Play pages; null where the operator has none. */
  directPlayHost: string | null
}

/** Everything that decides whether an embed plays, once path and video are known. */
export interface EmbedRequest extends OperatorHosts {
  /** Where the page is embedded (`referrerHost`). */
  host: string | null
  settings: PlayerSettings
  protection: Protection
  /** What became of the vt; `revoked` is a genuine one whose viewer the operator shut out. */
  token:
    'missing' | 'expired' | 'forged' | 'malformed' | 'exp_in_milliseconds' | 'revoked' | 'valid'
  browser: BrowserClass
  status: VideoStatus
}

export type EmbedDecision =
  | { kind: 'play' }
  | { kind: 'wait' }
  | { kind: 'failed' }
  | { kind: 'refused'; reason: 'no_referrer' }
  | { kind: 'refused'; reason: 'domain_blocked' | 'domain_not_allowed'; host: string }
  | {
      kind: 'token_required'
      reason: 'missing' | 'expired' | 'forged' | 'exp_in_milliseconds' | 'revoked'
    }
  | { kind: 'app_only'; verdict: 'open_app' | 'open_edge' | 'open_safari' | 'guidance' }

/**
 * The (normalised) host that a Referer or Origin header names; null where none was sent, where a page
 * has no origin, and where it is no web address.
 */
export const referrerHost = (referrer: string | null): string | null =>
  referrer === null || referrer === 'null' ? null : normaliseHost(referrer)

/**
 * Decides in the order of design.md, section 6: referrer and domain rules, enforcement and token,
 * App-Only by browser, then what the video's state allows.
 */
export function decideEmbed(request: EmbedRequest): EmbedDecision {
  return (
    refusalByDomain(request) ??
    refusalByToken(request) ??
    refusalByBrowser(request) ??
    byStatus(request.status)
  )
}

/** Spec, "Domain rules": 1 to 4. */
function refusalByDomain(request: EmbedRequest): EmbedDecision | null {
  const { host, settings } = request
  if (host === null) return { kind: 'refused', reason: 'no_referrer' }
  const matches = (rule: string): boolean => matchesHost(rule, host)
  if (settings.blocked_domains.some(matches))
    return { kind: 'refused', reason: 'domain_blocked', host }
  if (settings.allowed_domains.length === 0 || rulesLetIn(settings, request).some(matches))
    return null
  return { kind: 'refused', reason: 'domain_not_allowed', host }
}

/** Where the allowed list has an entry: that list, and the hosts that the service adds to it. */
function rulesLetIn(settings: PlayerSettings, hosts: OperatorHosts): string[] {
  const rules = [...settings.allowed_domains, ...hosts.serviceDomains]
  if (settings.direct_play && hosts.directPlayHost !== null) rules.push(hosts.directPlayHost)
  return rules
}

/** Spec, "Viewer token", rule 9. Who was shut out stays out, whether tokens are needed or not. */
function refusalByToken({ token, settings }: EmbedRequest): EmbedDecision | null {
  if (token === 'valid' || (token !== 'revoked' && !isViewerTokenEnforced(settings))) return null
  return { kind: 'token_required', reason: token === 'malformed' ? 'forged' : token }
}

/** Spec, "App-Only mode": a setting of Multi-DRM plans. */
function refusalByBrowser({ browser, protection, settings }: EmbedRequest): EmbedDecision | null {
  if (!settings.app_only_l3 || protection !== 'multi-drm') return null
  const verdict = appOnlyVerdict(browser)
  return verdict === 'play' ? null : { kind: 'app_only', verdict }
}

function byStatus(status: VideoStatus): EmbedDecision {
  switch (status) {
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

/** More rules than this would make a header that proxies refuse. */
const RULES_IN_HEADER_MAX = 60

/**
 * The `frame-ancestors` sources of a page that the domain rules have let in: the same rules, any
 * scheme and any port. What is blocked cannot be said in this directive: the Referer check holds it.
 * Of a list too long for a header it names the rules that let `host` in. An IPv6 address cannot be
 * said either, so a page of one is open.
 */
export function frameAncestors({
  settings,
  host,
  ...hosts
}: Pick<EmbedRequest, 'settings' | 'host' | keyof OperatorHosts>): string[] {
  if (settings.allowed_domains.length === 0 || (host !== null && isIpv6Host(host))) return ['*']
  const rules = rulesLetIn(settings, hosts)
  const isShort = rules.length <= RULES_IN_HEADER_MAX
  const named = isShort ? rules : rules.filter((rule) => host !== null && matchesHost(rule, host))
  return named.flatMap((rule) => {
    const parsed = parseHostRule(rule)
    if (!parsed || isIpv6Host(parsed.name)) return []
    const source = parsed.isWildcard ? `*.${parsed.name}` : parsed.name
    return [`https://${source}:*`, `http://${source}:*`]
  })
}
