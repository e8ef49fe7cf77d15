import express from 'express'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { PlayerError } from './player-error.ts'

/** Reads a body of JSON, whatever type it says it is; what is none gets 400 `invalid_json`. */
export function jsonBody(): RequestHandler {
  const parse = express.json({ limit: '16kb', type: () => true, strict: false })
  return (request: Request, response: Response, next: NextFunction) =>
    parse(request, response, (error?: unknown) => {
      const status = (error as { status?: unknown } | undefined)?.status
      const isClients = typeof status === 'number' && status < 500
      next(
        isClients ? new PlayerError(status, 'invalid_json', 'The body is not valid JSON.') : error,
      )
    })
}
