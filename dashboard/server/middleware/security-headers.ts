import { createHash, randomBytes } from 'node:crypto'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import helmet from 'helmet'
import { FRAMES_PATH } from '../../../domain/playback/embed-url.ts'

const NONCE_BYTES = 16

/** The public addresses of the processes. */
interface Bases {
  embedBase: string
  dashboardBase: string
  /** Where browsers send the bytes of uploads. */
  uploads: { base: string }
}

/**
 * Sets the headers that protect every response. The content security policy allows files of this host
 * only, frames, pictures and the indexes of storyboards of the player, the addresses of uploads, and style elements with the nonce of the
 * response (`nonceOf`). No site may frame the dashboard.
 */
export function securityHeaders({ embedBase, dashboardBase, uploads }: Bases): RequestHandler[] {
  const embedOrigin = new URL(embedBase).origin
  const uploadsUrl = new URL(`${uploads.base}/uploads/`).href
  const { protocol, hostname } = new URL(dashboardBase)
  const policy = (_request: Request, response: Response, next: NextFunction): void => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64')
    response.locals.nonce = nonce
    response.set('Content-Security-Policy', policyOf(nonce, embedOrigin, uploadsUrl))
    // Responses depend on the session. Handlers of files set their own.
    response.set('Cache-Control', 'private, no-store')
    next()
  }
  return [
    helmet({
      contentSecurityPolicy: false,
      xFrameOptions: { action: 'deny' },
      // Browsers complain about it on plain http.
      crossOriginOpenerPolicy: protocol === 'https:' || hostname === 'localhost',
      // Without a referrer, browsers send `Origin: null` with a form, and the player refuses to be framed.
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    }),
    policy,
  ]
}

const OWN_SCRIPTS = "script-src 'self'"

const policyOf = (nonce: string, embedOrigin: string, uploadsUrl: string): string =>
  [
    "default-src 'none'",
    OWN_SCRIPTS,
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    `img-src 'self' data: ${embedOrigin}`,
    "font-src 'self'",
    `connect-src 'self' ${embedOrigin}${FRAMES_PATH}/ ${uploadsUrl}`,
    `frame-src ${embedOrigin}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Returns the source expression that allows a script in a page by its text (CSP Level 3, "hash-source"). */
export const scriptHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows the page of a response to have one script in itself, by its `scriptHash`. */
export function allowScript(response: Response, hash: string): void {
  const policy = response.get('Content-Security-Policy') ?? ''
  response.set('Content-Security-Policy', policy.replace(OWN_SCRIPTS, `${OWN_SCRIPTS} ${hash}`))
}

/** The nonce of a response, for its style elements. */
export const nonceOf = (response: Response): string => String(response.locals.nonce)
