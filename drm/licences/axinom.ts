import { createCipheriv, randomUUID } from 'node:crypto'
import { decodeJwt, SignJWT } from 'jose'
import { z } from 'zod'
import { demandsOf, type KeyDemands, type LicencePolicy } from '../../domain/drm/licence-policy.ts'
import { toRefusal } from './judge-response.ts'
import type {
  LicenceKey,
  LicenceRequest,
  Provider,
  ProviderResponse,
  Reading,
} from './licence-adapter.ts'
import { playreadyHeaders } from './playready-headers.ts'
import { BACKDATED_SECONDS, keyUuid, TOKEN_SECONDS } from './token-facts.ts'

/** The settings of an Axinom DRM account. */
export interface AxinomOptions {
  communicationKeyId: string
  /** 32 bytes, decoded from base64. */
  communicationKey: Buffer
}

const MESSAGE_HEADER = 'X-AxDRM-Message'

/**
 * Axinom DRM: raw CDM messages; the entitlement is a JWT (HS256) in a header (Axinom, "License Service
 * Message", "Entitlement Message"). Keys of ours go along as `encrypted_key`.
 */
export const axinom = (options: AxinomOptions): Provider => ({
  name: 'axinom',
  takesKeys: true,
  frame: async (request) => ({
    headers: {
      'Content-Type': 'application/octet-stream',
      ...playreadyHeaders(request),
      [MESSAGE_HEADER]: await entitlementToken(options, request),
    },
    body: request.challenge,
  }),
  read: readResponse,
})

const entitlementToken = (
  { communicationKeyId, communicationKey }: AxinomOptions,
  request: LicenceRequest,
): Promise<string> =>
  new SignJWT({
    version: 1,
    // With prevent_drm_message_reuse, a message with this id is accepted once.
    id: randomUUID(),
    com_key_id: communicationKeyId,
    begin_date: new Date(request.nowMs - BACKDATED_SECONDS * 1000).toISOString(),
    expiration_date: new Date(request.nowMs + TOKEN_SECONDS * 1000).toISOString(),
    message: entitlementOf(request, communicationKey),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(communicationKey)

/**
 * The entitlement message, version 2. Axinom denies a request for a key that the message does not name, and
 * leaves out of the licence those whose policy the device does not meet. So all keys are named.
 */
function entitlementOf({ keys, policy }: LicenceRequest, communicationKey: Buffer): object {
  const policies = new Map(
    keys.map((key) => [
      policyName(key),
      usagePolicy(policyName(key), demandsOf(key.trackTypes, policy)),
    ]),
  )
  return {
    type: 'entitlement_message',
    version: 2,
    license: {
      duration: policy.licenceSeconds,
      allow_persistence: false,
      fairplay: { real_time_expiration: true },
      playready: { real_time_expiration: true },
      ...renewalOf(policy),
    },
    content_keys_source: { inline: keys.map((key) => inlineKey(key, communicationKey)) },
    content_key_usage_policies: [...policies.values()],
    license_server: {
      return_license_request_info: true,
      access_control: { prevent_drm_message_reuse: true },
    },
  }
}

const policyName = ({ trackTypes }: LicenceKey): string => trackTypes.join('+')

/** Only Widevine's CDM renews by itself; players renew the others with a new request. */
const renewalOf = ({ renewalSeconds }: LicencePolicy): object =>
  renewalSeconds === null
    ? {}
    : { widevine: { allow_renewal: true, renewal_delay: renewalSeconds } }

const inlineKey = (key: LicenceKey, communicationKey: Buffer): object => ({
  id: keyUuid(key.keyIdHex),
  usage_policy: policyName(key),
  ...(key.key && { encrypted_key: encryptKey(key.keyIdHex, key.key, communicationKey) }),
  ...(key.ivHex !== null && { iv: Buffer.from(key.ivHex, 'hex').toString('base64') }),
})

/** AES-256-CBC with the communication key; the IV is the key id, and there is no padding (Axinom.Drm.PowerShell). */
function encryptKey(keyIdHex: string, key: Buffer, communicationKey: Buffer): string {
  const cipher = createCipheriv('aes-256-cbc', communicationKey, Buffer.from(keyIdHex, 'hex'))
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(key), cipher.final()]).toString('base64')
}

/** Microsoft's id of "HDCP type restriction" and its value 1 (PlayReady, "Output protection levels"). */
const HDCP_TYPE_1 = { id: 'ABB2C6F1-E663-4625-A945-972D17B231E7', config_data: 'AAAAAQ==' }
const WIDEVINE_HDCP = { none: null, attempt: null, type0: '1.0', type1: '2.2' }
const FAIRPLAY_HDCP = { none: null, attempt: null, type0: 'TYPE0', type1: 'TYPE1' }
/** Uncompressed digital video: 250 tries HDCP, 300 requires it. */
const PLAYREADY_OPL = { none: 100, attempt: 250, type0: 300, type1: 300 }

/** The rules of one kind of key ("Content Key Usage Policies"). */
function usagePolicy(name: string, { hardware, hdcp }: KeyDemands): object {
  const [widevineHdcp, fairplayHdcp] = [WIDEVINE_HDCP[hdcp], FAIRPLAY_HDCP[hdcp]]
  return {
    name,
    widevine: {
      device_security_level: hardware ? 'HW_SECURE_ALL' : 'SW_SECURE_CRYPTO',
      ...(widevineHdcp !== null && { hdcp: widevineHdcp }),
    },
    playready: {
      min_device_security_level: hardware ? 3000 : 2000,
      uncompressed_digital_video_opl: PLAYREADY_OPL[hdcp],
      ...(hdcp === 'type1' && { digital_video_output_protections: [HDCP_TYPE_1] }),
    },
    fairplay: {
      ...(fairplayHdcp !== null && { hdcp: fairplayHdcp }),
      allow_av_adapter: fairplayHdcp === null,
    },
  }
}

/** PlayReady's server responds with 500 for everything that is not a licence (Axinom, "Troubleshooting"). */
function readResponse(response: ProviderResponse, { system }: LicenceRequest): Reading {
  const error = response.header('x-axdrm-errormessage')
  const isRefusal = error !== null && (response.status < 500 || system === 'playready')
  // The message is a sentence and may quote the token, so its kind is the code.
  const code = isRefusal ? toRefusal(error) : null
  return {
    licence: response.body,
    deviceId: deviceOf(response),
    refusal: code && { code, providerCode: `http_${response.status}.${code}` },
  }
}

const requestInfo = z.looseObject({
  message: z.looseObject({ device_info: z.looseObject({ device_id: z.string().min(1) }) }),
})

/**
 * The device of the request ("License Request Info Message"). The connection, not the signature, says that
 * the response is Axinom's. Null if the response does not name the device.
 */
function deviceOf(response: ProviderResponse): string | null {
  const token = response.header(MESSAGE_HEADER.toLowerCase())
  if (token === null) return null
  try {
    return requestInfo.parse(decodeJwt(token)).message.device_info.device_id
  } catch {
    return null
  }
}
