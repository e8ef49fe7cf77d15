import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { ApiError } from '../../../http/api-error.ts'

/**
 * Refuses requests that another site causes, with `cross_site_request`. Browsers send Sec-Fetch-Site on
 * https and on localhost; `same-site` is refused too, because the player is a sibling of the dashboard.
 * Over plain http browsers do not send it. There, Origin must be the public address of the dashboard;
 * a GET has no Origin, so its Referer must be of that address.
 */
export function requireSameOrigin(dashboardBase: string): RequestHandler {
  const { origin } = new URL(dashboardBase)
  return (request: Request, _response: Response, next: NextFunction) => {
    if (!isSameOrigin(request, origin)) throw new ApiError('cross_site_request')
    next()
  }
}

function isSameOrigin(request: Request, ownOrigin: string): boolean {
  const site = request.get('Sec-Fetch-Site')
  if (site !== undefined) return site === 'same-origin'
  const origin = request.get('Origin')
  if (origin !== undefined) return origin === ownOrigin
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && originOf(request.get('Referer')) === ownOrigin
}

const originOf = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : null
