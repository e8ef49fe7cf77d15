import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { BodyError } from '../../processes/bodies/body-error.ts'
import { networkOwnersOf } from '../../processes/bodies/network-owners.ts'
import type { Bodies } from '../../processes/bodies/read-body.ts'
import { PlayerError } from './player-error.ts'

const JSON_MAX_BYTES = 16 * 1024
/** PlayReady's challenges are XML of tens of KiB. */
const LICENCE_REQUEST_MAX_BYTES = 128 * 1024

/** Parses the body as JSON of at most 16 KiB, with any Content-Type. Invalid JSON gets 400 `invalid_json`. */
export const jsonBody = (bodies: Bodies): RequestHandler =>
  bodyReader(bodies, JSON_MAX_BYTES, {
    refusal: ['invalid_json', 'The body is not valid JSON.'],
    parse: (bytes) => JSON.parse(bytes.length === 0 ? '{}' : bytes.toString()) as unknown,
  })

/** Reads the body as bytes, with any Content-Type. A larger one gets 413 `invalid_licence_request`. */
export const licenceRequestBody = (bodies: Bodies): RequestHandler =>
  bodyReader(bodies, LICENCE_REQUEST_MAX_BYTES, {
    refusal: ['invalid_licence_request', 'The body is not a licence request.'],
    parse: (bytes) => bytes,
  })

interface BodyForm {
  /** Code and message for a body that cannot be read. */
  refusal: [code: string, message: string]
  parse: (bytes: Buffer) => unknown
}

const bodyReader =
  (bodies: Bodies, maxBytes: number, { refusal, parse }: BodyForm): RequestHandler =>
  async (request: Request, response: Response, next: NextFunction) => {
    try {
      const bytes = await bodies.read(request, response, {
        maxBytes,
        owners: networkOwnersOf(request),
      })
      if (bytes !== null) request.body = parse(bytes)
    } catch (error) {
      if (error instanceof BodyError && RETRIED.has(error.status))
        throw new PlayerError(error.status, 'service_unavailable', error.message)
      throw new PlayerError(error instanceof BodyError ? error.status : 400, ...refusal)
    }
    next()
  }

/** Statuses of requests that may succeed in a moment. */
const RETRIED = new Set([429, 503])
