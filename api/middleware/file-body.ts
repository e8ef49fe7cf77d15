import express from 'express'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { z } from 'zod'
import { ApiError } from '../api-error.ts'

const tooLargeError = z.object({ type: z.literal('entity.too.large') })

const BYTES_PER_MB = 1_000_000

/**
 * Reads the body as a file of at most `maxBytes`, whatever type it declares; a compressed body is refused. Throws 413
 * `payload_too_large` with the limit.
 */
export function fileBody(maxBytes: number): RequestHandler {
  const read = express.raw({ limit: maxBytes, type: () => true, inflate: false })
  const message = `The file is larger than ${maxBytes / BYTES_PER_MB} MB.`
  return (request: Request, response: Response, next: NextFunction) =>
    read(request, response, (error?: unknown) =>
      next(
        tooLargeError.safeParse(error).success
          ? new ApiError('payload_too_large', { message })
          : error,
      ),
    )
}
