import { createDecipheriv } from 'node:crypto'
import { z } from 'zod'
import { signToken, verifyToken } from './hmac-token.ts'
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

const uuid = z.guid()

// Everything that the product sends, and nothing else (Axinom, "Entitlement Message").
const usagePolicy = z.strictObject({
  name: z.string(),
  widevine: z.strictObject({
    device_security_level: z.enum(['SW_SECURE_CRYPTO', 'HW_SECURE_ALL']),
    hdcp: z.enum(['1.0', '2.0', '2.1', '2.2', '2.3']).optional(),
  }),
  playready: z.strictObject({
    min_device_security_level: z.union([z.literal(150), z.literal(2000), z.literal(3000)]),
    uncompressed_digital_video_opl: z.union([100, 250, 270, 300].map((level) => z.literal(level))),
    digital_video_output_protections: z
      .array(z.strictObject({ id: uuid, config_data: z.base64() }))
      .optional(),
  }),
  fairplay: z.strictObject({
    hdcp: z.enum(['TYPE0', 'TYPE1']).optional(),
    allow_av_adapter: z.boolean(),
  }),
})

const envelope = z.strictObject({
  version: z.literal(1),
  id: uuid,
  com_key_id: uuid,
  begin_date: z.iso.datetime(),
  expiration_date: z.iso.datetime(),
  message: z.strictObject({
    type: z.literal('entitlement_message'),
    version: z.literal(2),
    license: z.strictObject({
      duration: z.int().min(1).max(86_400),
      allow_persistence: z.literal(false),
      fairplay: z.strictObject({ real_time_expiration: z.literal(true) }),
      playready: z.strictObject({ real_time_expiration: z.literal(true) }),
      widevine: z
        .strictObject({ allow_renewal: z.literal(true), renewal_delay: z.int().min(1) })
        .optional(),
    }),
    content_keys_source: z.strictObject({
      inline: z.array(
        z.strictObject({
          id: uuid,
          usage_policy: z.string(),
          encrypted_key: z.base64().optional(),
          iv: z.base64().optional(),
        }),
      ),
    }),
    content_key_usage_policies: z.array(usagePolicy),
    license_server: z.strictObject({
      return_license_request_info: z.literal(true),
      access_control: z.strictObject({ prevent_drm_message_reuse: z.literal(true) }),
    }),
  }),
})

type Envelope = z.infer<typeof envelope>

/** Axinom DRM as its documentation describes it. */
export const createAxinomServer = (account: {
  communicationKeyId: string
  communicationKey: Buffer
}): LicenceServer =>
  createLicenceServer({
    challengeOf: ({ body }) => body,
    check: (request, state) => check(request, state, account),
    grant: (request, licence, challenge) => ({
      status: 200,
      headers: challenge
        ? { 'X-AxDRM-Message': infoToken(request, challenge.deviceId, account.communicationKey) }
        : {},
      body: licence,
    }),
    deny: ({ system }, denial) => ({
      status: system === 'playready' ? 500 : denial.reason === 'unauthorised' ? 403 : 400,
      headers: { 'X-AxDRM-ErrorMessage': SENTENCES[denial.reason] ?? denial.message },
      body: system === 'playready' ? '<soap:Fault/>' : 'secret-of-theirs',
    }),
  })

const SENTENCES: Partial<Record<Denial['reason'], string>> = {
  revoked: 'DRM client models with revoked certificates are not allowed to receive licenses',
  level: 'No key is available for the security level of the client',
  output: 'No key is available without HDCP',
}

function check(
  request: ServerRequest,
  { videos, used, nowMs }: ServerState,
  {
    communicationKeyId,
    communicationKey,
  }: { communicationKeyId: string; communicationKey: Buffer },
): Entitled {
  if (request.system === 'playready') {
    demand(request.headers['content-type']?.startsWith('text/xml') === true, 'not text/xml')
    demand(/AcquireLicense/.test(readHeader(request, 'soapaction')), 'no SOAPAction')
  }
  const parsed = envelope.safeParse(
    verifyToken(readHeader(request, 'x-axdrm-message'), communicationKey),
  )
  demand(parsed.success, `the message is malformed: ${parsed.error?.message ?? ''}`)
  const claims = parsed.data
  demand(claims.com_key_id === communicationKeyId, 'another communication key')
  demand(Date.parse(claims.begin_date) <= nowMs(), 'the message is not valid yet', 'expired')
  demand(Date.parse(claims.expiration_date) > nowMs(), 'the message has expired', 'expired')
  const lifeMs = Date.parse(claims.expiration_date) - Date.parse(claims.begin_date)
  demand(lifeMs <= 600_000, 'the message lives too long')
  demand(!used.has(claims.id), 'the message was used before', 'replayed')
  used.add(claims.id)
  const known = videos.flatMap(({ keys }) => keys)
  const keys = claims.message.content_keys_source.inline.map((inline): ProviderKey => {
    const keyIdHex = inline.id.replaceAll('-', '')
    const keyHex =
      inline.encrypted_key === undefined
        ? known.find((one) => one.keyIdHex === keyIdHex)?.keyHex
        : decryptKey(inline.encrypted_key, keyIdHex, communicationKey)
    if (keyHex === undefined) throw new Denial('content', 'the provider has no such key')
    return { keyIdHex, keyHex, ...demandsOf(claims, inline.usage_policy, request) }
  })
  return { keys, claims }
}

function decryptKey(encrypted: string, keyIdHex: string, communicationKey: Buffer): string {
  const bytes = Buffer.from(encrypted, 'base64')
  demand(bytes.length === 16, 'an encrypted key is one block')
  const decipher = createDecipheriv('aes-256-cbc', communicationKey, Buffer.from(keyIdHex, 'hex'))
  decipher.setAutoPadding(false)
  return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('hex')
}

function demandsOf(
  { message }: Envelope,
  policyName: string,
  { system }: ServerRequest,
): Pick<ProviderKey, 'hardware' | 'hdcp'> {
  const policy = message.content_key_usage_policies.find(({ name }) => name === policyName)
  if (!policy) throw new Denial('unauthorised', `there is no policy ${policyName}`)
  const { widevine, playready, fairplay } = policy
  switch (system) {
    case 'widevine':
      return {
        hardware: widevine.device_security_level === 'HW_SECURE_ALL',
        hdcp: widevine.hdcp === undefined ? null : Number(widevine.hdcp),
      }
    case 'playready':
      return {
        hardware: playready.min_device_security_level === 3000,
        hdcp: playready.digital_video_output_protections
          ? 2.2
          : playready.uncompressed_digital_video_opl > 270
            ? 1
            : null,
      }
    case 'fairplay':
      return {
        hardware: false,
        hdcp: { none: null, TYPE0: 1, TYPE1: 2.2 }[fairplay.hdcp ?? 'none'],
      }
  }
}

const infoToken = ({ system }: ServerRequest, deviceId: string, key: Buffer): string =>
  signToken(
    {
      version: 1,
      message: {
        version: 1,
        type: `${system}_license_request_info`,
        device_info: { device_id: deviceId },
        request_type: 'new',
      },
    },
    key,
  )
