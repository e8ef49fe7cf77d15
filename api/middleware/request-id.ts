import type { NextFunction, Request, Response } from 'express'

/** Gives every request an id, in the Request-Id header of every answer and in the log. */
export function requestId(_request: Request, response: Response, next: NextFunction): void {
  const id = `req_${crypto.randomUUID().replaceAll('-', '')}`
  response.locals.requestId = id
  response.set('Request-Id', id)
  next()
}
