import type { NextFunction, Request, Response } from 'express'

/** Gives every request an id, in the Request-Id header of every answer and in the log. */
export function requestId(_request: Request, response: Response, next: NextFunction): void {
  const id = newRequestId()
  response.locals.requestId = id
  response.setHeader('Request-Id', id)
  next()
}

/** A fresh id: `req_` and 32 characters of lowercase hex. */
export const newRequestId = (): string => `req_${crypto.randomUUID().replaceAll('-', '')}`
