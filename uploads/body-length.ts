import type { Request } from 'express'

/** The length of a body; null if the client does not say it. */
export function bodyLengthOf(request: Request): number | null {
  const length = request.get('Content-Length')
  return length === undefined || request.get('Transfer-Encoding') !== undefined
    ? null
    : Number(length)
}
