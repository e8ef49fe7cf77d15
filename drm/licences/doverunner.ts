import { createCipheriv, createHash } from 'node:crypto'
import { z } from 'zod'
import type { DrmSystemName } from '../../domain/drm/drm-system.ts'
import { isBase64Text } from '../base64.ts'
import { doverunnerPolicy } from './doverunner-policy.ts'
import { jsonObjectOf, textIn } from './judge-response.ts'
import type {
  LicenceRefusal,
  LicenceRequest,
  Provider,
  ProviderResponse,
  Reading,
} from './licence-adapter.ts'
import { playreadyHeaders } from './playready-headers.ts'
import { BACKDATED_SECONDS, viewerAlias } from './token-facts.ts'

/** The settings of a DoveRunner (PallyCon) site. */
export interface DoverunnerOptions {
  siteId: string
  /** 32 characters; the AES key is their bytes. */
  siteKey: string
  accessKey: string
}

const DRM_TYPES = { widevine: 'Widevine', playready: 'PlayReady', fairplay: 'FairPlay' } as const
/** Fixed by the provider ("License Token Guide", AES256). */
const POLICY_IV = Buffer.from('0123456789abcdef')

/**
 * DoveRunner: one address; the entitlement is base64 JSON in a header with an encrypted policy and a hash
 * (DoveRunner, "License Token Guide"). Keys of ours go along as `external_key`. `response_format` custom
 * makes it name the device.
 */
export const doverunner = (options: DoverunnerOptions): Provider => ({
  name: 'doverunner',
  takesKeys: true,
  frame: (request) => ({
    headers: {
      'Content-Type':
        request.system === 'fairplay'
          ? 'application/x-www-form-urlencoded'
          : 'application/octet-stream',
      ...playreadyHeaders(request),
      'pallycon-customdata-v2': customData(options, request),
    },
    body:
      request.system === 'fairplay'
        ? Buffer.from(new URLSearchParams({ spc: request.challenge.toString('base64') }).toString())
        : request.challenge,
  }),
  read: readResponse,
})

function customData(
  { siteId, siteKey, accessKey }: DoverunnerOptions,
  request: LicenceRequest,
): string {
  const drmType = DRM_TYPES[request.system]
  const userId = viewerAlias(request.viewerId, request.sessionId)
  const policy = encrypt(JSON.stringify(doverunnerPolicy(request)), siteKey)
  const timestamp = timestampOf(request.nowMs - BACKDATED_SECONDS * 1000)
  const signed = [accessKey, drmType, siteId, userId, request.videoId, policy, timestamp].join('')
  const token = {
    drm_type: drmType,
    site_id: siteId,
    user_id: userId,
    cid: request.videoId,
    policy,
    timestamp,
    response_format: 'custom',
    key_rotation: false,
    hash: createHash('sha256').update(signed).digest('base64'),
  }
  return Buffer.from(JSON.stringify(token)).toString('base64')
}

/** `2026-11-22T18:00:00Z`, without milliseconds. */
const timestampOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

function encrypt(text: string, siteKey: string): string {
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(siteKey), POLICY_IV)
  return Buffer.concat([cipher.update(text), cipher.final()]).toString('base64')
}

const customResponse = z.looseObject({
  license: z.string().min(1),
  device_info: z.looseObject({ device_id: z.string().min(1) }).nullish(),
})

/** Errors are JSON with a code, whatever the status; the custom format is JSON too. */
function readResponse(response: ProviderResponse, { system }: LicenceRequest): Reading {
  const json = jsonObjectOf(response.body)
  const raw = { licence: licenceOf(system, response.body.toString('latin1'), response.body) }
  if (json === null) return { ...raw, deviceId: null, refusal: null }
  const code = textIn(json, 'errorCode') ?? textIn(json, 'error_code')
  if (code !== null) return { ...raw, deviceId: null, refusal: toRefusal(code) }
  const custom = customResponse.safeParse(Object.fromEntries(json))
  if (!custom.success) return { ...raw, deviceId: null, refusal: null }
  const { license, device_info: device } = custom.data
  return {
    licence: licenceOf(system, license, Buffer.from(license)),
    deviceId: device?.device_id ?? null,
    refusal: null,
  }
}

/** Widevine's licence is hex in the custom format, a CKC is base64 in both. */
function licenceOf(system: DrmSystemName, text: string, raw: Buffer): Buffer {
  if (system === 'widevine' && /^([0-9a-f]{2})+$/i.test(text)) return Buffer.from(text, 'hex')
  if (system === 'fairplay' && isBase64Text(text)) return Buffer.from(text, 'base64')
  return raw
}

/** Codes that say that DoveRunner, or a server behind it, does not work ("License Error Code"). */
const AWAY: ReadonlySet<string> = new Set(['2001', '2701', '2702', '7017', '7103', '7106', '7202'])
const DEVICE_REVOKED: ReadonlySet<string> = new Set(['7110'])

function toRefusal(providerCode: string): { code: LicenceRefusal; providerCode: string } {
  if (DEVICE_REVOKED.has(providerCode)) return { code: 'drm_device_revoked', providerCode }
  return { code: AWAY.has(providerCode) ? 'drm_unavailable' : 'licence_refused', providerCode }
}
