import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express'
import type { ErrorCode } from '../../../domain/error-codes.ts'
import { escapeHtml, withCode } from '../../../domain/html.ts'
import { asApiError, logFailure } from '../../../http/middleware/error-handler.ts'
import type { SignName } from '../../../http/pages/signs.ts'
import { getRequestId } from '../../../processes/request-log.ts'
import { sendPage, type PageContext } from './html-page.ts'
import type { MessageText, PageTexts } from './texts/page-texts.ts'

/** Responds to an error of a page with a page; details stay in the log. */
export function errorPages({
  logger,
  files,
  dashboardBase,
}: Pick<PageContext, 'logger' | 'files' | 'dashboardBase'>): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const known = asApiError(error)
    logFailure(logger, error, getRequestId(response))
    if (response.headersSent) return void response.destroy()
    response.status(known?.status ?? 500).set(known?.headers ?? {})
    sendPage(response, files, (texts) => {
      const code = known?.code ?? 'internal_error'
      const { title, text, sign } = messageOf(texts, code, dashboardBase)
      return {
        title,
        sign,
        body: `<p>${withCode(text)}</p>
<p><a class="button second" href="/">${escapeHtml(texts.home)}</a></p>
<p class="request"><bdi>${code}</bdi> · ${escapeHtml(texts.request)} <bdi>${getRequestId(response)}</bdi></p>
`,
      }
    })
  }
}

type Message = MessageText & { sign: SignName }

function messageOf(texts: PageTexts, code: ErrorCode, dashboardBase: string): Message {
  const { crossSite, unavailable } = texts
  const known: Partial<Record<ErrorCode, Message>> = {
    cross_site_request: {
      title: crossSite.title,
      text: crossSite.text(dashboardBase),
      sign: 'shield',
    },
    invitation_not_found: { ...texts.linkInvalid, sign: 'unlink' },
    rate_limited: { ...texts.tooManyRequests, sign: 'waiting' },
    service_unavailable: { ...unavailable, sign: 'cloudOff' },
    sign_in_busy: { title: unavailable.title, text: texts.busy, sign: 'waiting' },
    route_not_found: { ...texts.notFound, sign: 'nothing' },
    internal_error: { ...texts.broken, sign: 'warning' },
  }
  return known[code] ?? { ...texts.malformed, sign: 'warning' }
}
