import { z } from 'zod'
import type { AttestationStatement } from '../../../security/attestation/attestation.ts'

/** Longer than any link with a token of 64 characters of viewer id. */
const LINK_MAX_LENGTH = 2304
const CHALLENGE_MAX_LENGTH = 128
/** An attestation of App Attest has 5 to 6 KiB, a token of Play Integrity 2 to 4. */
const STATEMENT_MAX_LENGTH = 12_000

const LINK_EXAMPLE = 'service://play/f1d2d2f924e986ac86fd/MQ==/eyJ2aWQi….c2ln…'

const link = z
  .string()
  .max(LINK_MAX_LENGTH)
  .meta({ description: 'The link that has opened the app, unchanged.', example: LINK_EXAMPLE })

export const challengeBody = z.strictObject({ link })

export const challengeResponse = z.object({
  challenge: z.string().meta({ description: 'For one session of this link.' }),
  expires_at: z.iso.datetime().meta({ description: 'In two minutes.' }),
})

const base64 = z.base64().max(STATEMENT_MAX_LENGTH)
const keyId = z.base64().length(44).meta({
  description: 'The key id as `generateKey` returns it: SHA-256 of the public key, in base64.',
})

const playIntegrity = z.strictObject({
  kind: z.literal('play-integrity'),
  token: z.string().max(STATEMENT_MAX_LENGTH).meta({
    description:
      'The token of a classic request of Play Integrity, whose nonce is the hash in unpadded base64url.',
  }),
})
const newKey = z.strictObject({
  kind: z.literal('app-attest'),
  key_id: keyId,
  attestation: base64.meta({
    description: 'What `attestKey` returns for the hash, once for each installation.',
  }),
})
const knownKey = z.strictObject({
  kind: z.literal('app-attest'),
  key_id: keyId,
  assertion: base64.meta({
    description: 'What `generateAssertion` returns for the hash, each time afterwards.',
  }),
})

export const sessionBody = z.strictObject({
  link,
  challenge: z.string().max(CHALLENGE_MAX_LENGTH),
  attestation: z.union([playIntegrity, newKey, knownKey]).optional().meta({
    description:
      'Required if the operator has set `APP_PLAYBACK=attested`. It attests the hash: SHA-256 of the challenge followed by the link, both as UTF-8.',
  }),
})

const server = z.object({ licence_url: z.url(), certificate_url: z.url().nullable() })

export const sessionResponse = z.object({
  session: z.string().meta({ description: 'Session token, valid for five minutes.' }),
  session_header: z.string().meta({
    description:
      'Header that carries the session token in every request for the DASH manifest, a licence, extras and a heartbeat. HLS playlists and segments need none.',
    example: 'X-Playback-Session',
  }),
  heartbeat_url: z.url().meta({
    description:
      'POST what was measured (`{"position_seconds", "watched_seconds", "media_seconds", "parts", …}`, docs/mobile-app.md) every minute, every five seconds until `is_complete`; then as `next_in_seconds` of each response says. The response has the next `session`, `renditions` and `is_complete`. A 403 ends playback.',
  }),
  extras_url: z.url().meta({ description: 'Captions, chapters, moments and storyboard.' }),
  video: z.object({
    id: z.string(),
    title: z.string(),
    duration_seconds: z.number().nullable(),
    is_complete: z.boolean().meta({ description: 'False while more renditions are encoded.' }),
  }),
  resume_seconds: z.number().nullable(),
  manifests: z.object({
    dash_url: z.url(),
    hls_url: z.url().meta({
      description:
        'The master playlist, for players that send no header. It and the playlists that it names are valid as long as the session: for five minutes, and while heartbeats renew it. The address is as secret as the session token.',
    }),
  }),
  licences: z
    .object({ widevine: server, playready: server, fairplay: server })
    .meta({ description: 'POST what the CDM has written; the response is what it reads.' }),
  watermark: z
    .object({ text: z.string(), opacity: z.number(), size: z.string() })
    .nullable()
    .meta({ description: 'The app draws it over the picture at all times.' }),
  policy: z.object({
    block_screen_capture: z.literal(true),
    allow_offline: z.literal(false),
    hd_needs_hardware: z.boolean(),
    uhd_needs_hardware: z.boolean(),
    output_protection: z.enum(['none', 'best-effort', 'required']),
    licence_seconds: z.number(),
    renewal_seconds: z.number().nullable(),
  }),
})

/** The statement of a body; null if it has none. */
export function statementOf({
  attestation,
}: z.infer<typeof sessionBody>): AttestationStatement | null {
  if (!attestation) return null
  if (attestation.kind === 'play-integrity') return attestation
  const key = { kind: attestation.kind, keyIdHex: fromBase64(attestation.key_id).toString('hex') }
  return 'attestation' in attestation
    ? { ...key, attestation: fromBase64(attestation.attestation) }
    : { ...key, assertion: fromBase64(attestation.assertion) }
}

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64')
