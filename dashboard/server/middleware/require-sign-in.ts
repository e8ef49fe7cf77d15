import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { readSession, type Authentication } from '../auth/authentication.ts'

/** Sends a person without a session to the sign-in, which leads back to the address of the request. */
export function requireSignIn(authentication: Authentication): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    if (await readSession(authentication, request)) return next()
    const query = new URLSearchParams({ next: request.originalUrl })
    response.redirect(303, `/sign-in?${query.toString()}`)
  }
}
