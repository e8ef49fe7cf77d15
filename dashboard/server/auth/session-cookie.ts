import type { Request, Response } from 'express'
import { SESSION_MAX_MS } from '../../../db/members/dashboard-sessions.ts'
import { looksLikeSecretToken } from '../../../security/tokens/secret-token.ts'

/** The cookie that carries the token of a session. */
export interface SessionCookie {
  /** The token of a request; null if it has none. */
  read: (request: Request) => string | null
  set: (response: Response, token: string) => void
  clear: (response: Response) => void
}

/**
 * Defines the cookie for the public address of the dashboard. On https its name begins with `__Host-`, so
 * that no other host can set it. On http its name has the port, because cookies ignore ports: two
 * dashboards on one machine would sign each other's members out.
 */
export function sessionCookie(dashboardBase: string): SessionCookie {
  const { protocol, port } = new URL(dashboardBase)
  const isSecure = protocol === 'https:'
  const name = isSecure ? '__Host-reelgate' : `reelgate-${port || '80'}`
  const attributes = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const
  return {
    read: (request) => {
      const token = readCookie(request.get('Cookie') ?? '', name)
      return token !== null && looksLikeSecretToken(token) ? token : null
    },
    set: (response, token) =>
      void response.cookie(name, token, { ...attributes, maxAge: SESSION_MAX_MS }),
    clear: (response) => void response.clearCookie(name, attributes),
  }
}

/** The value of the first cookie with this name (RFC 6265, section 4.2.1). */
function readCookie(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return null
}
