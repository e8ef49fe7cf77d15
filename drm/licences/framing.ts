import { z } from 'zod'
import { DRM_SYSTEM_NAMES, type DrmSystemName } from '../../domain/drm/drm-system.ts'
import { jsonObjectOf } from './judge-response.ts'

/**
 * How a challenge or a licence is packed: `raw`, `base64`, `form:FIELD` (base64 in a form field; requests
 * only) or `json:PATH` (base64 at a path such as `ckc` or `data.license`).
 */
const packing = z.string().regex(/^(raw|base64|form:[\w-]+|json:[\w-]+(\.[\w-]+)*)$/, {
  error: 'must be raw, base64, form:FIELD or json:PATH',
})

const systemFraming = z.strictObject({
  request: packing.default('raw'),
  response: packing
    .refine((text) => !text.startsWith('form:'), { error: 'must be raw, base64 or json:PATH' })
    .default('raw'),
})

/** The framing of each system; raw where nothing is said. */
export const framingSchema = z.partialRecord(z.enum(DRM_SYSTEM_NAMES), systemFraming)

export type Framing = Partial<Record<DrmSystemName, { request: string; response: string }>>

/** Packs a challenge; returns the body and its type. */
export function packChallenge(
  packed: string,
  challenge: Buffer,
): { contentType: string; body: Buffer } {
  const base64 = challenge.toString('base64')
  const [kind = 'raw', path = ''] = packed.split(':')
  switch (kind) {
    case 'base64':
      return { contentType: 'text/plain', body: Buffer.from(base64) }
    case 'form':
      return {
        contentType: 'application/x-www-form-urlencoded',
        body: Buffer.from(new URLSearchParams({ [path]: base64 }).toString()),
      }
    case 'json':
      return { contentType: 'application/json', body: Buffer.from(jsonWith(path, base64)) }
    default:
      return { contentType: 'application/octet-stream', body: challenge }
  }
}

const jsonWith = (path: string, text: string): string =>
  JSON.stringify(path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), text))

/** Takes a licence out of a response. Empty bytes if it is not there. */
export function unpackLicence(packed: string, body: Buffer): Buffer {
  if (packed === 'raw') return body
  if (packed === 'base64') return fromBase64(body.toString('latin1').trim())
  const [, path = ''] = packed.split(':')
  let value: unknown = Object.fromEntries(jsonObjectOf(body) ?? [])
  for (const name of path.split('.')) value = new Map(Object.entries(Object(value))).get(name)
  return typeof value === 'string' ? fromBase64(value) : Buffer.alloc(0)
}

/** Decodes base64 or base64url; empty bytes for other text. */
const fromBase64 = (text: string): Buffer =>
  /^[A-Za-z0-9+/_\s-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
