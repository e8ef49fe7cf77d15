import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'

/** Loopback hosts, where browsers trust plain http. */
const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
/** Anyone may send any `Origin`, so only so many are logged. */
const NOTED_MAX = 5

/** Warns at the start if the address of the dashboard is http outside of this machine. */
export function warnOfPlainHttp(dashboardBase: string, logger: Logger): void {
  const { protocol, hostname } = new URL(dashboardBase)
  if (protocol === 'https:' || LOCAL.test(hostname)) return
  logger.warn(
    { dashboardBase },
    'DASHBOARD_BASE_URL is http: there are no passkeys, and cookies are not limited to https. If a proxy in front has TLS, set it to the https address that members open',
  )
}

/** Warns once of each address but DASHBOARD_BASE_URL from which members send forms and changes. */
export function noteOtherAddresses(dashboardBase: string, logger: Logger): RequestHandler {
  const own = new URL(dashboardBase).origin
  const noted = new Set<string>([own])
  return (request: Request, _response: Response, next: NextFunction) => {
    const origin = request.get('Origin')
    const isMember = request.get('Sec-Fetch-Site') === 'same-origin'
    if (isMember && origin !== undefined && !noted.has(origin) && noted.size <= NOTED_MAX) {
      noted.add(origin)
      logger.warn(
        { origin, dashboardBase },
        'members use the dashboard at another address than DASHBOARD_BASE_URL: passkeys do not work there',
      )
    }
    next()
  }
}
