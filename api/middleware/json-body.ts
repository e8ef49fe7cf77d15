import { isUtf8 } from 'node:buffer'
import express from 'express'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { REQUEST_BODY_MAX_BYTES } from '../../domain/limits.ts'
import { ApiError } from '../api-error.ts'

/** Parses a JSON body of at most 8 MB; answers 415 to any other type of body. */
export function jsonBody(): RequestHandler[] {
  const parse = express.json({
    limit: REQUEST_BODY_MAX_BYTES,
    strict: false,
    type: isJson,
    // The parser would replace invalid UTF-8, and the API would store a title that was never sent.
    verify: (_request, _response, body) => {
      if (!isUtf8(body)) throw new ApiError('invalid_json')
    },
  })
  return [requireJson, parse]
}

const isJson = (request: { headers: { 'content-type'?: string | undefined } }): boolean =>
  /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')

function requireJson(request: Request, _response: Response, next: NextFunction): void {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > 0
  if (hasBody && !isJson(request)) throw new ApiError('unsupported_media_type')
  next()
}
