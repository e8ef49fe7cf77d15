import type { Config } from '../../../config/config.ts'
import { clockOffsetMs, readDate } from '../../../doctor/clock.ts'
import { DRM_SYSTEM_NAMES, type DrmSystemName } from '../../../domain/drm/drm-system.ts'
import {
  LicenceSettingsError,
  openLicences,
  type OpenedLicences,
} from '../../../drm/licences/open-licences.ts'
import { EgressError, type EgressErrorCode } from '../../../egress/egress-error.ts'
import type { Egress } from '../../../egress/egress.ts'
import { CheckFailure, passed, type Passed } from './finding.ts'

/** Opens the licence servers as the player does. Throws a CheckFailure that names the variable to change. */
export function openServers(config: Config, egress: Egress): OpenedLicences {
  try {
    const opened = openLicences({
      egress,
      // What it would log is a finding here.
      logger: { warn: () => {} },
      provider: config.DRM_LICENCE_PROVIDER,
      keyModel: config.DRM_KEY_MODEL,
      fairplayDelivery: config.DRM_FAIRPLAY_DELIVERY,
      variables: config,
    })
    if (opened) return opened
  } catch (error) {
    if (!(error instanceof LicenceSettingsError)) throw error
    throw new CheckFailure(
      error.message,
      'Correct the variable (docs/drm.md); the player does not start with it.',
    )
  }
  throw new CheckFailure(
    'there is no licence provider',
    'Set DRM_LICENCE_PROVIDER and the variables of the provider, for this command too.',
    'not_configured',
  )
}

/** Says which systems are served with whose keys, and how Safari plays. */
export function describeServers({
  adapter,
  keyModel,
  fairplayDelivery,
  urls,
}: OpenedLicences): Passed {
  const systems = DRM_SYSTEM_NAMES.filter((system) => urls[system] !== undefined).join(', ')
  const keys = keyModel === 'own' ? 'keys of our own' : 'keys of the provider'
  const delivery = urls.fairplay === undefined ? '' : `; FairPlay over ${fairplayDelivery}`
  return passed(`${adapter.provider}: ${systems}; ${keys}${delivery}`)
}

/** What a server returned for a request without content. */
export interface Reached {
  host: string
  status: number
  /** How far its clock is off in ms, at least; null if it does not send its time. */
  clockOffsetMs: number | null
}

const REACH_DEADLINE_MS = 5_000

/** Asks a server over TLS, without content. The address may contain a secret. Throws an EgressError. */
export async function reach(
  egress: Egress,
  url: string,
  method: 'HEAD' | 'POST' = 'HEAD',
): Promise<Reached> {
  const beforeMs = Date.now()
  const response = await egress.request({ url, method, deadlineMs: REACH_DEADLINE_MS })
  const afterMs = Date.now()
  response.body.destroy()
  const { date } = response.headers
  const reading = readDate(Array.isArray(date) ? date[0] : date)
  return {
    host: new URL(url).hostname,
    status: response.status,
    clockOffsetMs: reading && clockOffsetMs(reading, beforeMs, afterMs),
  }
}

/** Asks a licence server for its headers. One that has nothing to read at its address is asked again as a player asks, but without a challenge. */
export async function reachLicences(egress: Egress, url: string): Promise<Reached> {
  const reached = await reach(egress, url)
  return isElsewhere(reached.status) ? reach(egress, url, 'POST') : reached
}

/** True for a status of an address without a licence server: redirects are not followed. */
const isElsewhere = (status: number): boolean =>
  [404, 410].includes(status) || (status >= 300 && status < 400)

/** The variable with the address of a system. */
export const urlVariable = (system: DrmSystemName): string => `DRM_${system.toUpperCase()}_URL`

/**
 * Checks that the licence server of a system responds; no licence is requested. Any status but that of a gateway, or of
 * an address without a server, counts, because a request without a challenge is an error for each provider. Throws a
 * CheckFailure.
 */
export async function checkServer(
  system: DrmSystemName,
  reached: Promise<Reached> | undefined,
): Promise<Passed> {
  const variable = urlVariable(system)
  if (reached === undefined)
    throw new CheckFailure('it is not served', `Set ${variable} to serve it.`, 'not_configured')
  try {
    const { host, status } = await reached
    if (isElsewhere(status))
      throw new CheckFailure(
        `${host} has no licence server at this address (HTTP ${status})`,
        `Check ${variable}, with its path and query.`,
      )
    if (!GATEWAY_ERRORS.has(status)) return passed(`${host} responds over TLS (HTTP ${status})`)
    throw new CheckFailure(
      `${host} responds with HTTP ${status}, so the licence server behind it does not work`,
      `Ask the provider, or check ${variable}.`,
    )
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new CheckFailure(error.message, `${remedyOf(error.code)} The variable is ${variable}.`)
  }
}

const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504])

/** What to do when a server of the provider cannot be reached. */
export const remedyOf = (code: EgressErrorCode): string =>
  REMEDIES[code] ?? 'Check the address, and whether this machine may open connections to it.'

const REMEDIES: Partial<Record<EgressErrorCode, string>> = {
  invalid_url: 'The address must be https on port 443 or 8443, without a user name or password.',
  address_not_allowed:
    'The address is not public. For a server of your own, set EGRESS_ALLOWED_NETWORKS.',
  dns_error: 'Check the host name, and EGRESS_DNS_SERVERS.',
  tls_error:
    'Check the certificate of the server. For an authority of your own, set EGRESS_CA_FILE.',
}

/** Some servers accept tokens only within five seconds of their clock (Verimatrix). */
const CLOCK_TOLERANCE_MS = 5_000

/**
 * Compares this machine's clock with those of the servers that were reached, because they refuse tokens from the
 * future and old ones. Throws a CheckFailure.
 */
export function compareClocks(servers: readonly Reached[]): Passed {
  const clocks = servers.flatMap(({ host, clockOffsetMs: offsetMs }) =>
    offsetMs === null ? [] : [{ host, offsetMs }],
  )
  if (servers.length === 0)
    throw new CheckFailure('no server responds', 'Fix the checks above first.', 'not_checked')
  if (clocks.length === 0) return passed('no server sends its time')
  const wrong = clocks.find(({ offsetMs }) => offsetMs > CLOCK_TOLERANCE_MS)
  if (wrong)
    throw new CheckFailure(
      `this machine and ${wrong.host} are at least ${Math.round(wrong.offsetMs / 1000)} s apart`,
      'Set the clock of this machine by NTP: licence servers refuse tokens from another time.',
    )
  return passed(`in step with ${[...new Set(clocks.map(({ host }) => host))].join(', ')}`)
}
