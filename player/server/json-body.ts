import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { BodyError, type BodyFault } from '../../processes/bodies/body-error.ts'
import { networkOwnersOf } from '../../processes/bodies/network-owners.ts'
import type { Bodies } from '../../processes/bodies/read-body.ts'
import { PlayerError } from './player-error.ts'

const JSON_MAX_BYTES = 16 * 1024
/** PlayReady's challenges are XML of tens of KiB. */
const LICENCE_REQUEST_MAX_BYTES = 128 * 1024

/** Parses the body as JSON of at most 16 KiB, with any Content-Type. Invalid JSON gets 400 `invalid_json`, a larger body 413 `payload_too_large`. */
export const jsonBody = (bodies: Bodies): RequestHandler =>
  bodyReader(bodies, JSON_MAX_BYTES, {
    refusal: ['invalid_json', 'The body is not valid JSON.'],
    parse: (bytes) => JSON.parse(bytes.length === 0 ? '{}' : bytes.toString()) as unknown,
  })

/** Reads the body as bytes, at most 128 KiB, with any Content-Type. A larger one gets 413 `payload_too_large`. */
export const licenceRequestBody = (bodies: Bodies): RequestHandler =>
  bodyReader(bodies, LICENCE_REQUEST_MAX_BYTES, {
    refusal: ['invalid_licence_request', 'The body is not a licence request.'],
    parse: (bytes) => bytes,
  })

interface BodyForm {
  /** Code and message for a body that cannot be parsed. */
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
      throw error instanceof BodyError ? bodyRefusal(error) : new PlayerError(400, ...refusal)
    }
    next()
  }

/**
 * Counts the bytes of a response, as those of a body of the client's network, until it is sent. Throws a PlayerError if `bodies` or
 * the network's share have no room for them.
 */
export function holdResponse(
  bodies: Bodies,
  request: Request,
  response: Response,
  bytes: number,
): void {
  try {
    bodies.hold(response, bytes, networkOwnersOf(request))
  } catch (error) {
    throw error instanceof BodyError ? bodyRefusal(error) : error
  }
}

const bodyRefusal = ({ status, type, message }: BodyError): PlayerError =>
  new PlayerError(status, BODY_CODES[type], message)

/** As those of the API, but for a share that is used up: the player retries it. */
const BODY_CODES: Record<BodyFault, string> = {
  'entity.too.large': 'payload_too_large',
  'encoding.unsupported': 'unsupported_media_type',
  'request.aborted': 'invalid_request',
  'entity.encoding.failed': 'invalid_request',
  'body.too.slow': 'invalid_request',
  'share.used.up': 'service_unavailable',
  'process.full': 'service_unavailable',
}
