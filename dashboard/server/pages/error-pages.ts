import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express'
import type { ErrorCode } from '../../../domain/error-codes.ts'
import { escapeHtml, withCode } from '../../../domain/html.ts'
import { asApiError, logFailure } from '../../../http/middleware/error-handler.ts'
import { getRequestId } from '../../../processes/request-log.ts'
import { sendPage, type PageContext } from './html-page.ts'
import type { MessageText, PageTexts } from './texts/page-texts.ts'

/** Responds to an error of a page with a page; details stay in the log. */
export function errorPages({ logger, files, dashboardBase }: PageContext): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const known = asApiError(error)
    logFailure(logger, error, getRequestId(response))
    if (response.headersSent) return void response.destroy()
    response.status(known?.status ?? 500).set(known?.headers ?? {})
    sendPage(response, files, (texts) => {
      const { title, text } = messageOf(texts, known?.code ?? 'internal_error', dashboardBase)
      return {
        title,
        body: `<p>${withCode(text)}</p>
<p><a class="button second" href="/">${escapeHtml(texts.home)}</a></p>
<p class="hint">${escapeHtml(texts.request)} <bdi>${getRequestId(response)}</bdi></p>
`,
      }
    })
  }
}

function messageOf(texts: PageTexts, code: ErrorCode, dashboardBase: string): MessageText {
  if (code === 'cross_site_request')
    return { title: texts.crossSite.title, text: texts.crossSite.text(dashboardBase) }
  if (code === 'invitation_not_found') return texts.linkInvalid
  if (code === 'service_unavailable' || code === 'rate_limited') return texts.unavailable
  if (code === 'sign_in_busy') return { title: texts.unavailable.title, text: texts.busy }
  if (code === 'route_not_found') return texts.notFound
  return code === 'internal_error' ? texts.broken : texts.malformed
}
