import { z } from 'zod'
import { verifyToken } from './hmac-token.ts'
import {
  createLicenceServer,
  demand,
  Denial,
  readHeader,
  type Entitled,
  type LicenceServer,
  type ServerRequest,
  type ServerState,
} from './licence-server.ts'

/** The claims that `GENERIC_CLAIMS` makes. */
const claimsSchema = z.strictObject({
  iss: z.literal('reelgate'),
  sub: z.string(),
  aud: z.enum(['widevine', 'playready', 'fairplay']),
  iat: z.int(),
  exp: z.int(),
  jti: z.guid(),
  duration: z.int(),
  persistent: z.literal(false),
  kid: z.array(z.guid()),
  keys: z.array(
    z.strictObject({
      kid: z.guid(),
      k: z.string().nullable(),
      track: z.string(),
      hw: z.boolean(),
    }),
  ),
})

/** A claim template for `createGenericServer`. */
export const GENERIC_CLAIMS = JSON.stringify({
  iss: 'reelgate',
  sub: '{video_id}',
  aud: '{system}',
  iat: '{now}',
  exp: '{expires}',
  jti: '{token_id}',
  duration: '{licence_seconds}',
  persistent: false,
  kid: '{key_ids}',
  keys: [
    { $each: 'keys', kid: '{key_id}', k: '{key_hex}', track: '{track}', hw: '{needs_hardware}' },
  ],
})

/** A licence server with a bearer token, FairPlay in JSON, and errors as drm.cloud has them. */
export const createGenericServer = (secret: Buffer): LicenceServer =>
  createLicenceServer({
    challengeOf: ({ system, body }) =>
      system === 'fairplay'
        ? Buffer.from(
            z.object({ spc: z.base64() }).parse(JSON.parse(body.toString())).spc,
            'base64',
          )
        : body,
    check: (request, state) => check(request, state, secret),
    grant: ({ system }, licence) => ({
      status: 200,
      body: system === 'fairplay' ? JSON.stringify({ ckc: licence.toString('base64') }) : licence,
    }),
    deny: (_request, denial) => ({
      status: 403,
      body: JSON.stringify({
        errorId: denial.reason === 'revoked' ? 'drm_4017' : 'drm_3001',
        message: denial.message,
        requestId: 'secret-of-theirs',
      }),
    }),
  })

function check(
  request: ServerRequest,
  { videos, used, nowMs }: ServerState,
  secret: Buffer,
): Entitled {
  demand(readHeader(request, 'x-brand') === 'brand-1', 'another brand')
  const token = /^Bearer (.+)$/.exec(readHeader(request, 'authorization'))?.[1] ?? ''
  const parsed = claimsSchema.safeParse(verifyToken(token, secret))
  demand(parsed.success, `the claims are malformed: ${parsed.error?.message ?? ''}`)
  const claims = parsed.data
  demand(claims.aud === request.system, 'a token for another system')
  demand(claims.iat * 1000 <= nowMs(), 'the token is from the future', 'expired')
  demand(claims.exp * 1000 > nowMs(), 'the token has expired', 'expired')
  demand(claims.exp - claims.iat <= 600, 'the token lives too long')
  demand(!used.has(claims.jti), 'the token was used before', 'replayed')
  used.add(claims.jti)
  demand(
    JSON.stringify(claims.keys.map(({ kid }) => kid)) === JSON.stringify(claims.kid),
    'the two lists of keys differ',
  )
  const known = videos.flatMap(({ keys }) => keys)
  const keys = claims.keys.map(({ kid, k, hw }) => {
    const keyIdHex = kid.replaceAll('-', '')
    const keyHex = k ?? known.find((one) => one.keyIdHex === keyIdHex)?.keyHex
    if (keyHex === undefined) throw new Denial('content', 'the provider has no such key')
    return { keyIdHex, keyHex, hardware: hw, hdcp: null }
  })
  return { keys, claims }
}
