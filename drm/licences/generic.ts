import { randomUUID } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import { demandsOf, largestTrack } from '../../domain/drm/licence-policy.ts'
import { fillTemplate, parseTemplate, type Json, type TemplateValues } from './claim-template.ts'
import { packChallenge, unpackLicence, type Framing } from './framing.ts'
import { jsonObjectOf, textIn, toRefusal } from './judge-response.ts'
import type {
  LicenceKey,
  LicenceRequest,
  Provider,
  ProviderResponse,
  Reading,
} from './licence-adapter.ts'
import { playreadyHeaders } from './playready-headers.ts'
import {
  BACKDATED_SECONDS,
  keyUuid,
  TOKEN_SECONDS,
  unixSeconds,
  viewerAlias,
} from './token-facts.ts'

/** The settings of any other licence server that takes a JWT. */
export interface GenericOptions {
  framing: Framing
  /** Sent with each request, besides the token. */
  headers: Record<string, string>
  /** The header of the token, and its value with `{token}`. */
  tokenHeader: string
  tokenValue: string
  algorithm: GenericAlgorithm
  /** Bytes of the secret (HS…), or a private key in PEM (PKCS #8). */
  secret: Buffer
  /** Further fields of the JWT's header, such as `kid`. */
  jwtHeader: Record<string, string>
  /** JSON with placeholders (`claim-template.ts`). */
  claims: string
  /** Whether the server itself withholds keys from devices below the level in the claims. */
  enforcesHardware: boolean
  /** Codes of the provider that mean a revoked device. */
  revokedCodes: readonly string[]
}

export const GENERIC_ALGORITHMS = ['HS256', 'HS384', 'HS512', 'RS256', 'ES256', 'EdDSA'] as const

type GenericAlgorithm = (typeof GENERIC_ALGORITHMS)[number]

/** The placeholders of a claim template. Those of keys are valid inside `"$each": "keys"`. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'video_id',
  'viewer',
  'session_id',
  'system',
  'now',
  'expires',
  'token_id',
  'licence_seconds',
  'renewal_seconds',
  'key_ids',
  'key_ids_hex',
  'key_id',
  'key_id_hex',
  'key_hex',
  'key_base64',
  'iv_hex',
  'track',
  'needs_hardware',
  'hdcp',
])

/** A licence server with a JWT in a header: drm.cloud, Verimatrix, Nagra, or a FairPlay server of one's own. */
export function generic(options: GenericOptions): Provider {
  const template = parseTemplate(options.claims, PLACEHOLDERS)
  return {
    name: 'generic',
    takesKeys: /\{key_(hex|base64)\}/.test(options.claims),
    frame: (request) => frame(options, template, request),
    read: (response, request) => readResponse(options, response, request),
  }
}

async function frame(
  options: GenericOptions,
  template: { [name: string]: Json },
  request: LicenceRequest,
) {
  const { system, challenge } = request
  const { contentType, body } = packChallenge(options.framing[system]?.request ?? 'raw', challenge)
  const token = await signedToken(options, template, request)
  return {
    headers: {
      'Content-Type': contentType,
      ...playreadyHeaders(request),
      ...options.headers,
      [options.tokenHeader]: options.tokenValue.replace('{token}', token),
    },
    body,
  }
}

async function signedToken(
  { algorithm, secret, jwtHeader, enforcesHardware }: GenericOptions,
  template: { [name: string]: Json },
  request: LicenceRequest,
): Promise<string> {
  const keys = entitledKeys(request, enforcesHardware)
  const claims = fillTemplate(
    template,
    valuesOf(request, keys),
    keys.map((key) => keyValues(key, request)),
  )
  const key = algorithm.startsWith('HS') ? secret : await importPKCS8(secret.toString(), algorithm)
  return new SignJWT(Object.fromEntries(Object.entries(Object(claims))))
    .setProtectedHeader({ typ: 'JWT', ...jwtHeader, alg: algorithm })
    .sign(key)
}

/** A key that needs hardware is left out, unless the server says that it enforces the level. */
const entitledKeys = ({ keys, policy }: LicenceRequest, enforcesHardware: boolean): LicenceKey[] =>
  keys.filter(({ trackTypes }) => enforcesHardware || !demandsOf(trackTypes, policy).hardware)

const valuesOf = (request: LicenceRequest, keys: LicenceKey[]): TemplateValues => ({
  video_id: request.videoId,
  viewer: viewerAlias(request.viewerId, request.sessionId),
  session_id: request.sessionId,
  system: request.system,
  now: unixSeconds(request.nowMs) - BACKDATED_SECONDS,
  expires: unixSeconds(request.nowMs) + TOKEN_SECONDS,
  token_id: randomUUID(),
  licence_seconds: request.policy.licenceSeconds,
  renewal_seconds: request.policy.renewalSeconds,
  key_ids: keys.map(({ keyIdHex }) => keyUuid(keyIdHex)),
  key_ids_hex: keys.map(({ keyIdHex }) => keyIdHex),
})

function keyValues({ keyIdHex, key, ivHex, trackTypes }: LicenceKey, { policy }: LicenceRequest) {
  const { hardware, hdcp } = demandsOf(trackTypes, policy)
  return {
    key_id: keyUuid(keyIdHex),
    key_id_hex: keyIdHex,
    key_hex: key && key.toString('hex'),
    key_base64: key && key.toString('base64'),
    iv_hex: ivHex,
    track: largestTrack(trackTypes),
    needs_hardware: hardware,
    hdcp,
  }
}

const CODE_FIELDS = ['errorCode', 'error_code', 'code', 'errorId']

function readResponse(
  { framing, revokedCodes }: GenericOptions,
  response: ProviderResponse,
  { system }: LicenceRequest,
): Reading {
  const licence = unpackLicence(framing[system]?.response ?? 'raw', response.body)
  const found = jsonObjectOf(response.body)
  const providerCode =
    CODE_FIELDS.map((name) => textIn(found, name)).find((one) => one !== null) ?? null
  // A response with a code and a licence is a grant.
  if (providerCode === null || (licence.length > 0 && licence !== response.body))
    return { licence, deviceId: null, refusal: null }
  const code = revokedCodes.includes(providerCode)
    ? 'drm_device_revoked'
    : toRefusal(textIn(found, 'message') ?? '')
  return { licence, deviceId: null, refusal: { code, providerCode } }
}
