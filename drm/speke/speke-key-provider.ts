import { text } from 'node:stream/consumers'
import type { KeyGroup } from '../../domain/key-contract.ts'
import type { Egress } from '../../egress/egress.ts'
import type { KeyProvider } from '../key-provider.ts'
import { parseCpixAnswer } from './cpix-answer.ts'
import { cpixRequest } from './cpix-document.ts'

export interface SpekeOptions {
  egress: Egress
  /** https URL of the SPEKE v2 endpoint (DRM_SPEKE_URL). */
  url: string
  /** Value of the Authorization header; undefined if the endpoint needs none. */
  authorization: string | undefined
  /** The keys of every video. */
  groups: readonly KeyGroup[]
}

const DEADLINE_MS = 15_000
const ANSWER_MAX_BYTES = 1024 * 1024

/**
 * Gets keys and signalling of Widevine, PlayReady and FairPlay from a SPEKE v2 endpoint, which completes
 * a CPIX document with key ids, usage rules and systems. Throws an Error without key material; the caller
 * retries. Tested against the protocol only, not against the endpoint of a DRM vendor.
 */
export function createSpekeKeyProvider(options: SpekeOptions): KeyProvider {
  const { egress, url, authorization, groups } = options
  return {
    model: 'provider',
    groups: () => groups,
    async createKeys({ videoId, keys, signal }) {
      const response = await egress.request({
        url,
        method: 'POST',
        headers: {
          'Content-Type': 'application/xml',
          Accept: 'application/xml',
          'X-Speke-Version': '2.0',
          'X-Speke-User-Agent': 'Reelgate',
          ...(authorization === undefined ? {} : { Authorization: authorization }),
        },
        body: cpixRequest(videoId, keys),
        deadlineMs: DEADLINE_MS,
        ...(signal && { signal }),
        maxResponseBytes: ANSWER_MAX_BYTES,
      })
      const body = await text(response.body)
      if (response.status !== 200)
        throw new Error(`the SPEKE endpoint answered with status ${response.status}`)
      return parseCpixAnswer(body, keys)
    },
  }
}
