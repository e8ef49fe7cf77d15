import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NextFunction, Request, Response } from 'express'
import helmet from 'helmet'

/**
 * Helmet's headers with its defaults. They are the same for every answer, so Helmet is asked once
 * for them, not fourteen middlewares at each request.
 */
export function securityHeaders() {
  const headers = headersOfHelmet()
  return (_request: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

function headersOfHelmet(): [string, string][] {
  const headers: [string, string][] = []
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => {},
  }
  helmet()({} as IncomingMessage, recorder as unknown as ServerResponse, () => {})
  return headers
}
