import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { BodyOwner } from '../../processes/bodies/body-budget.ts'
import { hasBody } from '../../processes/bodies/has-body.ts'
import type { Bodies } from '../../processes/bodies/read-body.ts'
import { ApiError } from '../api-error.ts'
import { hasMoreValues } from './json-values.ts'

/** How a server reads bodies: within which budget, and for whom. */
export interface BodySource {
  bodies: Bodies
  ownersOf: (request: Request, response: Response) => readonly BodyOwner[]
}

/** Parses a JSON body of at most `maxBytes`; responds with 415 to any other type of body. */
export const jsonBody =
  ({ bodies, ownersOf }: BodySource, maxBytes: number): RequestHandler =>
  async (request: Request, response: Response, next: NextFunction) => {
    if (hasBody(request) && !isJson(request)) throw new ApiError('unsupported_media_type')
    const owners = ownersOf(request, response)
    const bytes = await bodies.read(request, response, { maxBytes, owners, isInflated: true })
    if (bytes !== null) request.body = bytes.length === 0 ? {} : parseJson(bytes)
    next()
  }

/** With the charset of JSON, or without one (RFC 8259, section 8.1). */
const isJson = ({ headers }: Request): boolean =>
  /^application\/json\s*(;(?!.*charset=(?!"?utf-8"?\s*(;|$)))|$)/i.test(
    headers['content-type'] ?? '',
  )

/** Every value takes memory and time, a hundred times the bytes of an empty object. No operation needs so many. */
const VALUES_MAX = 200_000

/** Invalid UTF-8 is refused, because the API would store a title that was never sent. */
function parseJson(bytes: Buffer): unknown {
  if (hasMoreValues(bytes, VALUES_MAX))
    throw new ApiError('payload_too_large', { message: 'The request body has too many values.' })
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('invalid_json')
  }
}
