import express from 'express'
import type { NextFunction, Request, Response } from 'express'
import { PlayerError, clientErrorStatus } from './player-error.ts'

const parseJson = express.json({ limit: '16kb', type: () => true, strict: false })

/** Parses the body as JSON, with any Content-Type. Invalid JSON gets 400 `invalid_json`. */
export const jsonBody = (request: Request, response: Response, next: NextFunction): void =>
  parseJson(request, response, (error?: unknown) => {
    const status = clientErrorStatus(error)
    next(
      status === null
        ? error
        : new PlayerError(status, 'invalid_json', 'The body is not valid JSON.'),
    )
  })
