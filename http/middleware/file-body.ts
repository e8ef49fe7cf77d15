import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { BodySource } from './json-body.ts'

/**
 * Reads the body as bytes, at most `maxBytes`, whatever type it declares; a compressed body is refused. Sets an empty
 * buffer for a request without a body.
 */
export const fileBody =
  ({ bodies, ownersOf }: BodySource, maxBytes: number): RequestHandler =>
  async (request: Request, response: Response, next: NextFunction) => {
    const owners = ownersOf(request, response)
    request.body = (await bodies.read(request, response, { maxBytes, owners })) ?? Buffer.alloc(0)
    next()
  }
