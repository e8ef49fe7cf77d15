import type { Response } from 'express'
import type { Assets } from './assets.ts'
import { messagePage } from './pages/message-page.ts'
import type { PageText } from './pages/refusals.ts'

/**
 * Headers of every page: nothing but our own host may be loaded, no inline script, framed only where
 * the domain rules let it, and never cached, since the address may carry a token.
 */
export function setPageHeaders(response: Response, mediaBase = ''): void {
  const ancestors = (response.locals.frameAncestors as string[] | undefined) ?? ['*']
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    // Media Chrome's elements carry their style in their shadow roots.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    `connect-src 'self' blob: ${mediaBase}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length > 0 ? ancestors.join(' ') : "'none'"}`,
  ]
  response.set({
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'private, no-store',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'text/html; charset=utf-8',
  })
}

/** Sends a page that says what happened. */
export function sendMessage(response: Response, assets: Assets, text: PageText): void {
  const { status, ...message } = text
  setPageHeaders(response)
  response.status(status).send(
    messagePage({
      ...message,
      requestId: response.locals.requestId as string,
      styleUrl: assets.styleUrl,
    }),
  )
}
