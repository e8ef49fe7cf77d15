import type { Protection } from '../accounts/plan.ts'
import { hostMatcher, isIpv6Host, matchesHost, normaliseHost, parseHostRule } from '../host-name.ts'
import { isViewerTokenEnforced, type PlayerSettings } from '../settings/player-settings.ts'
import type { VideoStatus } from '../videos/video-state.ts'
import { appOnlyVerdict, type AppOnlyRefusal, type BrowserClass } from './browser-class.ts'

/** Hosts that are allowed in addition to the account's list. */
interface OperatorHosts {
  /** The operator's hosts, which are always allowed. */
  serviceDomains: readonly string[]
  /** Host of the Direct Play pages; null if they are off. */
  directPlayHost: string | null
}

/** What decides whether an embed page plays, once the video has been found. */
export interface EmbedRequest extends OperatorHosts {
  /** Host of the embedding site (`referrerHost`). */
  host: string | null
  /** True if a ticket of this host names the site, not the browser. */
  isSiteFromTicket: boolean
  settings: PlayerSettings
  protection: Protection
  /** Result of the verification of the vt; `revoked` is a valid one of a revoked viewer. */
  token:
    'missing' | 'expired' | 'forged' | 'malformed' | 'exp_in_milliseconds' | 'revoked' | 'valid'
  browser: BrowserClass
  /** True if the player page has found no hardware protection in this browser. */
  isWithoutHardware: boolean
  status: VideoStatus
}

/** The settings that the domain rules read. */
type DomainSettings = Pick<PlayerSettings, 'allowed_domains' | 'blocked_domains' | 'direct_play'>

/** The settings by which a session that plays may be refused. */
export type SessionSettings = DomainSettings & Pick<PlayerSettings, 'watermark'>

interface SiteRefusal {
  kind: 'refused'
  reason: 'domain_blocked' | 'domain_not_allowed'
  host: string
}

type DomainRefusal = { kind: 'refused'; reason: 'no_referrer' } | SiteRefusal

export type EmbedDecision =
  | { kind: 'play' }
  | { kind: 'wait' }
  | { kind: 'failed' }
  /** The settings have changed since the site loaded the player page: it would play now. */
  | { kind: 'outdated' }
  | DomainRefusal
  | {
      kind: 'token_required'
      reason: 'missing' | 'expired' | 'forged' | 'exp_in_milliseconds' | 'revoked'
    }
  | { kind: 'app_only'; verdict: AppOnlyRefusal }

/**
 * Returns the normalised host of a Referer or Origin header. Returns null if there is none, if the page
 * has an opaque origin, or if the value is not a web address.
 */
export const referrerHost = (referrer: string | null): string | null =>
  referrer === null || referrer === 'null' ? null : normaliseHost(referrer)

/**
 * Decides what an embed page shows. Checks the domain rules first, then the viewer token, then App-Only
 * mode, and last the status of the video. Only a site that the browser names plays (contract, "Domain rules").
 */
export function decideEmbed(request: EmbedRequest): EmbedDecision {
  const decision =
    refusalByDomain(request) ??
    refusalByToken(request) ??
    refusalByBrowser(request) ??
    byStatus(request.status)
  const plays = decision.kind === 'play' || decision.kind === 'wait'
  return plays && request.isSiteFromTicket ? { kind: 'outdated' } : decision
}

/**
 * True if a program without a viewer may learn the title of a video and get its player for the site `host`: the embed
 * page would play there for any viewer in any browser. If `host` is null, it would have to play on every site but the
 * blocked ones.
 */
export function isOpenTo({
  protection,
  status,
  ...site
}: Pick<
  EmbedRequest,
  'host' | 'settings' | 'protection' | 'status' | keyof OperatorHosts
>): boolean {
  const { host, settings } = site
  const isSiteAllowed =
    host === null ? settings.allowed_domains.length === 0 : refusalByDomain(site) === null
  return (
    isSiteAllowed &&
    !isViewerTokenEnforced(settings) &&
    !isAppOnly(settings, protection) &&
    byStatus(status).kind === 'play'
  )
}

/** Decides whether a site may embed the videos of an account; null if it may (contract, "Domain rules"). */
export function refusalByDomain(
  request: Pick<EmbedRequest, 'host' | keyof OperatorHosts> & { settings: DomainSettings },
): DomainRefusal | null {
  const { host, settings } = request
  if (host === null) return { kind: 'refused', reason: 'no_referrer' }
  return refusalsBy(settings, request, inOrder)(host)
}

/** Returns a function that decides so about many sites. It reads the rules once: an account has up to 2,000. */
export const refusalsByDomain = (
  settings: DomainSettings,
  hosts: OperatorHosts,
): ((host: string) => SiteRefusal | null) => refusalsBy(settings, hosts, hostMatcher)

type Matcher = typeof hostMatcher

/** Parses no rule after the one that matches. */
const inOrder: Matcher = (rules) => (host) => rules.some((rule) => matchesHost(rule, host))

function refusalsBy(
  settings: DomainSettings,
  hosts: OperatorHosts,
  matcher: Matcher,
): (host: string) => SiteRefusal | null {
  const isBlocked = matcher(settings.blocked_domains)
  const isOpen = settings.allowed_domains.length === 0
  const isAllowed = isOpen ? () => true : matcher(allowedRules(settings, hosts))
  return (host) => {
    if (isBlocked(host)) return { kind: 'refused', reason: 'domain_blocked', host }
    return isAllowed(host) ? null : { kind: 'refused', reason: 'domain_not_allowed', host }
  }
}

/** Returns the account's list, which must not be empty, with the hosts that are always allowed. */
function allowedRules(settings: DomainSettings, hosts: OperatorHosts): string[] {
  const rules = [...settings.allowed_domains, ...hosts.serviceDomains]
  if (settings.direct_play && hosts.directPlayHost !== null) rules.push(hosts.directPlayHost)
  return rules
}

type TokenRefusal = Extract<EmbedDecision, { kind: 'token_required' }>

/** Contract, "Viewer token". Revoked viewers are refused even if no token is required. */
function refusalByToken({
  token,
  settings,
}: Pick<EmbedRequest, 'token' | 'settings'>): TokenRefusal | null {
  if (token === 'valid' || (token !== 'revoked' && !isViewerTokenEnforced(settings))) return null
  return { kind: 'token_required', reason: token === 'malformed' ? 'forged' : token }
}

/** True if only hardware protection may play (contract, "Player host": a setting of Multi-DRM plans). */
export const isAppOnly = (settings: PlayerSettings, protection: Protection): boolean =>
  settings.app_only_l3 && protection === 'multi-drm'

function refusalByBrowser(request: EmbedRequest): EmbedDecision | null {
  if (!isAppOnly(request.settings, request.protection)) return null
  const verdict = appOnlyVerdict(request.browser)
  if (verdict !== 'play') return { kind: 'app_only', verdict }
  return request.isWithoutHardware ? { kind: 'app_only', verdict: 'no_hardware' } : null
}

/**
 * Decides whether the mobile app plays a video. The app has no site, so the domain rules do not apply, and it
 * is the refusal of App-Only mode. It plays only videos of Multi-DRM.
 */
export function decideApp({
  protection,
  status,
  ...request
}: Pick<EmbedRequest, 'protection' | 'status' | 'token' | 'settings'>):
  TokenRefusal | StatusDecision | { kind: 'not_multi_drm' } {
  return (
    refusalByToken(request) ??
    (protection === 'multi-drm' ? byStatus(status) : { kind: 'not_multi_drm' })
  )
}

type StatusDecision = { kind: 'play' } | { kind: 'wait' } | { kind: 'failed' }

function byStatus(status: VideoStatus): StatusDecision {
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

/** With more rules, proxies may refuse the header. */
const RULES_IN_HEADER_MAX = 60

/**
 * Returns the `frame-ancestors` sources of a page that the domain rules have allowed: the same rules,
 * with any scheme and port. The directive cannot express blocked hosts, which only the Referer check
 * enforces. If the list is too long for a header, it contains only the rules that match `host`. The
 * directive cannot express IPv6 addresses either: a site with one gets `*`.
 */
export function frameAncestors({
  settings,
  host,
  ...hosts
}: Pick<EmbedRequest, 'settings' | 'host' | keyof OperatorHosts>): string[] {
  if (settings.allowed_domains.length === 0 || (host !== null && isIpv6Host(host))) return ['*']
  const rules = allowedRules(settings, hosts)
  const isShort = rules.length <= RULES_IN_HEADER_MAX
  const named = isShort ? rules : rules.filter((rule) => host !== null && matchesHost(rule, host))
  return named.flatMap((rule) => {
    const parsed = parseHostRule(rule)
    if (!parsed || isIpv6Host(parsed.name)) return []
    const source = parsed.isWildcard ? `*.${parsed.name}` : parsed.name
    return [`https://${source}:*`, `http://${source}:*`]
  })
}
