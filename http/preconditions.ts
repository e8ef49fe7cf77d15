import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { ApiError } from './api-error.ts'
import type { Commit, Operation } from './operation.ts'

const DIGEST_LENGTH = 16

/**
 * The ETag of an object: the version of its row, by which If-Match compares, and a digest of all that its JSON shows,
 * such as counts of other rows (ADR 0051).
 */
export function toEtag(version: number, view: object): string {
  const digest = createHash('sha256').update(JSON.stringify(view)).digest('base64url')
  return `"${version}-${digest.slice(0, DIGEST_LENGTH)}"`
}

/** Makes a commit that first compares If-Match with the row, which nothing else changes until its end. */
export const withPrecondition = (
  commit: Commit,
  { versioned }: Operation,
  { request, accountId, params }: { request: Request; accountId: number; params: object },
): Commit => {
  const isMatch = versioned && ifMatchOf(request)
  if (!isMatch) return commit
  return (work) =>
    commit(async (tx) => {
      const version = await versioned.lock(tx, accountId, { ...params })
      // The handler says that there is no such object.
      if (version !== null && !isMatch(version)) throw new ApiError('precondition_failed')
      return work(tx)
    })
}

/** Whether If-None-Match names the ETag of the response; `W/` does not count (RFC 9110, section 13.1.2). */
export function isNotModified(request: Request, etag: string | undefined): boolean {
  const header = request.get('If-None-Match')
  if (etag === undefined || header === undefined) return false
  const tags = header.split(',').map((tag) => tag.trim())
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag)
}

const ETAGS = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/

/** Returns whether the version of a row is one that If-Match names; null without If-Match. */
function ifMatchOf(request: Request): ((version: number) => boolean) | null {
  const header = request.get('If-Match')
  if (header === undefined) return null
  if (header.trim() === '*') return () => true
  if (!ETAGS.test(header))
    throw new ApiError('invalid_request', {
      message: 'If-Match must be * or ETags as they were sent, with their quotes.',
    })
  // A weak ETag matches none (RFC 9110, section 13.1.1).
  const versions = [...header.matchAll(/(?<!W\/)"(\d+)-[\w-]+"/g)].map(([, version]) => version)
  return (version) => versions.includes(String(version))
}
