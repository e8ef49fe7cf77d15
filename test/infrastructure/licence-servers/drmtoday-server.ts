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

/** Both claims are texts of JSON, which must be decoded a second time. */
const doublyEncoded = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema)

const rule = z.union([
  z.strictObject({ deny: z.literal(true) }),
  z.strictObject({ requireHDCP: z.enum(['HDCP_NONE', 'HDCP_V1', 'HDCP_V2', 'HDCP_V2_2']) }),
])
const rules = z.strictObject({ WidevineM: rule, PlayReadyM: rule, FairPlayM: rule })

const claimsSchema = z.strictObject({
  optData: doublyEncoded(
    z.strictObject({ merchant: z.string(), userId: z.string(), sessionId: z.string() }),
  ),
  crt: doublyEncoded(
    z
      .array(
        z.strictObject({
          assetId: z.string().min(1),
          storeLicense: z.literal(false),
          outputProtection: z.strictObject({
            digital: z.boolean(),
            analogue: z.boolean(),
            enforce: z.boolean(),
          }),
          op: z.strictObject({
            config: z.strictObject({ AUDIO: rules, SD: rules, HD: rules, UHD: rules }),
          }),
          profile: z.strictObject({
            rental: z.strictObject({
              absoluteExpiration: z.iso.datetime(),
              playDuration: z.int().min(1).max(86_400_000),
            }),
          }),
        }),
      )
      .length(1),
  ),
  iat: z.int(),
  jti: z.string().min(16),
})

const HDCP = { HDCP_NONE: null, HDCP_V1: 1, HDCP_V2: 2, HDCP_V2_2: 2.2 }
const SCHEMES = { widevine: 'WidevineM', playready: 'PlayReadyM', fairplay: 'FairPlayM' } as const

/** DRMtoday as published clients use it. Without `specConform=true`, Widevine's licence is JSON. */
export const createDrmtodayServer = (merchant: { name: string; secret: Buffer }): LicenceServer =>
  createLicenceServer({
    challengeOf: ({ system, body }) =>
      system === 'fairplay'
        ? Buffer.from(new URLSearchParams(body.toString()).get('spc') ?? '', 'base64')
        : body,
    check: (request, state) => check(request, state, merchant),
    grant: ({ system, path }, licence) => {
      const headers = { 'x-dt-resp-code': '0' }
      if (system === 'widevine' && !path.includes('specConform=true')) {
        const body = JSON.stringify({ status: 'OK', license: licence.toString('base64') })
        return { status: 200, headers, body }
      }
      return {
        status: 200,
        headers,
        body: system === 'fairplay' ? licence.toString('base64') : licence,
      }
    },
    deny: (_request, denial) => ({
      status: 403,
      headers: { 'x-dt-resp-code': CODES[denial.reason] },
      body: 'secret-of-theirs',
    }),
  })

const CODES: Record<Denial['reason'], string> = {
  unauthorised: '3000',
  expired: '3000',
  replayed: '3000',
  revoked: '40001',
  level: '20101',
  output: '20101',
  content: '20101',
  internal: '1000',
}

function check(
  request: ServerRequest,
  { videos, used, nowMs }: ServerState,
  { name, secret }: { name: string; secret: Buffer },
): Entitled {
  const parsed = claimsSchema.safeParse(verifyToken(readHeader(request, 'x-dt-auth-token'), secret))
  demand(parsed.success, `the claims are malformed: ${parsed.error?.message ?? ''}`)
  const { optData, crt, iat, jti } = parsed.data
  demand(optData.merchant === name, 'another merchant')
  const ageMs = nowMs() - iat * 1000
  demand(ageMs >= 0 && ageMs < 600_000, 'the token is from the future or too old', 'expired')
  demand(!used.has(jti), 'the token was used before', 'replayed')
  used.add(jti)
  const [rights] = crt
  if (!rights) throw new Denial('content', 'there are no rights')
  if (request.system === 'fairplay')
    demand(
      new URLSearchParams(request.body.toString()).get('assetId') === rights.assetId,
      'another asset',
    )
  const isCertificate = request.body.equals(Buffer.from([8, 4]))
  const video = videos.find(({ videoId }) => videoId === rights.assetId)
  if (!video && !isCertificate) throw new Denial('content', 'there is no such asset')
  const keys = (video?.keys ?? []).flatMap(({ keyIdHex, keyHex, trackTypes }) => {
    const [track = 'SD'] = trackTypes
    const found = rights.op.config[track][SCHEMES[request.system]]
    return 'deny' in found
      ? []
      : [{ keyIdHex, keyHex, hardware: false, hdcp: HDCP[found.requireHDCP] }]
  })
  return { keys, claims: parsed.data }
}
