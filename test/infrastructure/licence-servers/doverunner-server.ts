import { createDecipheriv, createHash } from 'node:crypto'
import { z } from 'zod'
import {
  createLicenceServer,
  demand,
  Denial,
  readHeader,
  type Entitled,
  type LicenceServer,
  type ProviderKey,
  type ServerRequest,
  type ServerState,
} from './licence-server.ts'

export interface DoverunnerSite {
  siteId: string
  siteKey: string
  accessKey: string
}

const token = z.strictObject({
  drm_type: z.enum(['Widevine', 'PlayReady', 'FairPlay']),
  site_id: z.string(),
  user_id: z.string().min(1),
  cid: z.string().regex(/^[A-Za-z0-9]{1,200}$/),
  policy: z.base64(),
  timestamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  response_format: z.enum(['original', 'custom']),
  key_rotation: z.literal(false),
  hash: z.base64(),
})

const trackType = z.enum(['ALL', 'ALL_VIDEO', 'AUDIO', 'SD', 'HD', 'UHD1', 'UHD2'])
const hex16 = z.string().regex(/^[0-9a-f]{32}$/)

const policySchema = z.strictObject({
  policy_version: z.literal(2),
  playback_policy: z.strictObject({
    persistent: z.literal(false),
    license_duration: z.int().min(1).max(86_400),
    renewal_duration: z.int().min(1).optional(),
    allowed_track_types: z.enum(['ALL', 'SD_ONLY', 'SD_HD', 'SD_UHD1', 'SD_UHD2']),
  }),
  security_policy: z.array(
    z.strictObject({
      track_type: trackType,
      widevine: z.strictObject({
        security_level: z.int().min(1).max(5),
        required_hdcp_version: z.enum([
          'HDCP_NONE',
          'HDCP_V1',
          'HDCP_V2',
          'HDCP_V2_1',
          'HDCP_V2_2',
        ]),
      }),
      playready: z.strictObject({
        security_level: z.union([z.literal(150), z.literal(2000), z.literal(3000)]),
        digital_video_protection_level: z.union([100, 250, 270, 300, 301].map((n) => z.literal(n))),
        require_hdcp_type_1: z.boolean(),
      }),
      fairplay: z.strictObject({
        hdcp_enforcement: z.union([z.literal(-1), z.literal(0), z.literal(1)]),
        allow_av_adapter: z.boolean(),
      }),
    }),
  ),
  external_key: z
    .strictObject({
      mpeg_cenc: z
        .array(
          z.strictObject({
            track_type: trackType,
            key_id: hex16,
            key: hex16,
            iv: hex16.optional(),
          }),
        )
        .optional(),
      hls_aes: z.array(z.strictObject({ track_type: trackType, key: hex16, iv: hex16 })).optional(),
    })
    .optional(),
})

type Policy = z.infer<typeof policySchema>

const TYPES = { widevine: 'Widevine', playready: 'PlayReady', fairplay: 'FairPlay' }

/** DoveRunner as its documentation describes it; its errors are JSON with 200. */
export const createDoverunnerServer = (site: DoverunnerSite): LicenceServer =>
  createLicenceServer({
    challengeOf: ({ system, body }) =>
      system === 'fairplay'
        ? Buffer.from(new URLSearchParams(body.toString()).get('spc') ?? '', 'base64')
        : body,
    check: (request, state) => check(request, state, site),
    grant: ({ system }, licence, challenge) => ({
      status: 200,
      body: JSON.stringify({
        license: licence.toString(
          system === 'widevine' ? 'hex' : system === 'fairplay' ? 'base64' : 'utf8',
        ),
        ...(challenge && { device_info: { device_id: challenge.deviceId } }),
      }),
    }),
    deny: (_request, denial) => ({
      status: 200,
      body: JSON.stringify({ errorCode: CODES[denial.reason], message: 'secret-of-theirs' }),
    }),
  })

const CODES: Record<Denial['reason'], string> = {
  unauthorised: '7019',
  expired: '7011',
  replayed: '7016',
  revoked: '7110',
  level: '7102',
  output: '8712',
  content: '7001',
  internal: '2001',
}

function check(request: ServerRequest, state: ServerState, site: DoverunnerSite): Entitled {
  const data = Buffer.from(readHeader(request, 'pallycon-customdata-v2'), 'base64').toString()
  const parsed = token.safeParse(JSON.parse(data))
  demand(parsed.success, `the token is malformed: ${parsed.error?.message ?? ''}`)
  const { drm_type: drmType, site_id: siteId, user_id: userId, cid, timestamp } = parsed.data
  const { policy: encrypted, hash } = parsed.data
  const signed = [site.accessKey, drmType, siteId, userId, cid, encrypted, timestamp].join('')
  demand(
    createHash('sha256').update(signed).digest('base64') === hash,
    'the hash values do not match',
  )
  demand(siteId === site.siteId, 'another site')
  demand(drmType === TYPES[request.system], 'the DRM type does not fit the address')
  const ageMs = state.nowMs() - Date.parse(timestamp)
  demand(ageMs >= 0 && ageMs < 600_000, 'the token is not valid now', 'expired')
  const policy = policySchema.safeParse(JSON.parse(decrypt(encrypted, site.siteKey)))
  demand(policy.success, `the policy is malformed: ${policy.error?.message ?? ''}`)
  return {
    keys: keysFor(policy.data, cid, request, state),
    claims: { ...parsed.data, policy: policy.data },
  }
}

function decrypt(text: string, siteKey: string): string {
  const key = Buffer.from(siteKey)
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from('0123456789abcdef'))
  return Buffer.concat([decipher.update(text, 'base64'), decipher.final()]).toString('utf8')
}

/** The keys of the video, or those that were handed over, with the rules of their tracks. */
function keysFor(
  policy: Policy,
  cid: string,
  { system }: ServerRequest,
  { videos }: ServerState,
): ProviderKey[] {
  const video = videos.find(({ videoId }) => videoId === cid)
  const handed = policy.external_key?.mpeg_cenc
  // FairPlay's external keys have no key id: the asset has them in its order.
  const handedForFairplay = policy.external_key?.hls_aes
  const found = handed
    ? handed.map((one) => ({ keyIdHex: one.key_id, keyHex: one.key, track: one.track_type }))
    : (video?.keys ?? []).flatMap(({ keyIdHex, keyHex, trackTypes }) =>
        trackTypes.map((type) => {
          const track = type === 'UHD' ? ('UHD1' as const) : type
          const external = handedForFairplay?.find(({ track_type }) => track_type === track)
          return { keyIdHex, keyHex: external?.key ?? keyHex, track }
        }),
      )
  const allowed = ALLOWED[policy.playback_policy.allowed_track_types]
  return found
    .filter(({ track }) => allowed.includes(track))
    .map(({ keyIdHex, keyHex, track }) => ({
      keyIdHex,
      keyHex,
      ...rulesOf(policy, track, system),
    }))
}

const ALLOWED: Record<Policy['playback_policy']['allowed_track_types'], string[]> = {
  ALL: ['AUDIO', 'SD', 'HD', 'UHD1', 'UHD2'],
  SD_ONLY: ['AUDIO', 'SD'],
  SD_HD: ['AUDIO', 'SD', 'HD'],
  SD_UHD1: ['AUDIO', 'SD', 'HD', 'UHD1'],
  SD_UHD2: ['AUDIO', 'SD', 'HD', 'UHD1', 'UHD2'],
}

function rulesOf(
  policy: Policy,
  track: string,
  system: ServerRequest['system'],
): Pick<ProviderKey, 'hardware' | 'hdcp'> {
  const rules = policy.security_policy.find(({ track_type }) => track_type === track)
  if (!rules) throw new Denial('unauthorised', `there are no rules for ${track}`)
  const { widevine, playready, fairplay } = rules
  const hdcp = {
    widevine: { HDCP_NONE: null, HDCP_V1: 1, HDCP_V2: 2, HDCP_V2_1: 2.1, HDCP_V2_2: 2.2 }[
      widevine.required_hdcp_version
    ],
    playready: playready.require_hdcp_type_1
      ? 2.2
      : playready.digital_video_protection_level > 270
        ? 1
        : null,
    fairplay: { '-1': null, '0': 1, '1': 2.2 }[fairplay.hdcp_enforcement],
  }[system]
  const hardware = {
    widevine: widevine.security_level === 5,
    playready: playready.security_level === 3000,
    fairplay: false,
  }[system]
  return { hardware, hdcp }
}
