import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { z } from 'zod'
import type { DrmSystemName } from '../../domain/drm/drm-system.ts'
import { demandsOf, type KeyDemands } from '../../domain/drm/licence-policy.ts'
import type { TrackType } from '../../domain/videos/rendition.ts'
import { isBase64Text } from '../base64.ts'
import { jsonObjectOf } from './judge-response.ts'
import type { LicenceRequest, Provider, ProviderResponse, Reading } from './licence-adapter.ts'
import { playreadyHeaders } from './playready-headers.ts'
import { BACKDATED_SECONDS, unixSeconds, viewerAlias } from './token-facts.ts'

/** The settings of a DRMtoday merchant. */
export interface DrmtodayOptions {
  merchant: string
  /** 32 bytes (HS256) or 64 bytes (HS512). */
  secret: Buffer
}

/**
 * DRMtoday (castLabs): the entitlement is a JWT whose claims `optData` and `crt` are JSON texts
 * (web-platform-tests, drm-messagehandler.js). It has the keys itself; they are found by the asset id, which
 * is the content id of the key request.
 */
export const drmtoday = (options: DrmtodayOptions): Provider => ({
  name: 'drmtoday',
  takesKeys: false,
  frame: async (request) => ({
    headers: {
      'Content-Type':
        request.system === 'fairplay'
          ? 'application/x-www-form-urlencoded'
          : 'application/octet-stream',
      ...playreadyHeaders(request),
      'x-dt-auth-token': await authToken(options, request),
    },
    body: request.system === 'fairplay' ? fairplayForm(request) : request.challenge,
  }),
  read: readResponse,
})

const fairplayForm = ({ challenge, videoId }: LicenceRequest): Buffer =>
  Buffer.from(
    new URLSearchParams({ spc: challenge.toString('base64'), assetId: videoId }).toString(),
  )

const authToken = (
  { merchant, secret }: DrmtodayOptions,
  request: LicenceRequest,
): Promise<string> =>
  new SignJWT({
    optData: JSON.stringify({
      merchant,
      userId: viewerAlias(request.viewerId, request.sessionId),
      sessionId: request.sessionId,
    }),
    crt: JSON.stringify([customerRights(request)]),
  })
    .setProtectedHeader({ alg: secret.length === 64 ? 'HS512' : 'HS256', typ: 'JWT' })
    // DRMtoday refuses tokens from the future (web-platform-tests issue 4031).
    .setIssuedAt(unixSeconds(request.nowMs) - BACKDATED_SECONDS)
    .setJti(randomUUID())
    .sign(secret)

/** The rights to one asset; `storeLicense` false forbids offline use. */
function customerRights({ videoId, keys, policy, nowMs }: LicenceRequest): object {
  const demands = keys.map(({ trackTypes }) => demandsOf(trackTypes, policy))
  const enforces = demands.some(({ hdcp }) => hdcp === 'type0' || hdcp === 'type1')
  return {
    assetId: videoId,
    storeLicense: false,
    outputProtection: { digital: enforces, analogue: enforces, enforce: enforces },
    op: { config: protectionByTrack(keys, policy) },
    profile: {
      rental: {
        absoluteExpiration: new Date(nowMs + policy.licenceSeconds * 1000).toISOString(),
        playDuration: policy.licenceSeconds * 1000,
      },
    },
  }
}

const TRACKS: readonly TrackType[] = ['AUDIO', 'SD', 'HD', 'UHD']
const HDCP = { none: 'HDCP_NONE', attempt: 'HDCP_NONE', type0: 'HDCP_V1', type1: 'HDCP_V2_2' }

/**
 * Enhanced output protection for each track type and system. A track without a key, and one that needs
 * hardware, is denied: the token cannot say which devices have hardware, so no device gets it.
 */
const protectionByTrack = (
  keys: LicenceRequest['keys'],
  policy: LicenceRequest['policy'],
): Record<string, object> =>
  Object.fromEntries(
    TRACKS.map((track) => {
      const key = keys.find(({ trackTypes }) => trackTypes.includes(track))
      const rule = ruleOf(key ? demandsOf(key.trackTypes, policy) : null)
      return [track, { WidevineM: rule, PlayReadyM: rule, FairPlayM: rule }]
    }),
  )

const ruleOf = (demands: KeyDemands | null): object =>
  demands === null || demands.hardware ? { deny: true } : { requireHDCP: HDCP[demands.hdcp] }

/** General internal error (`x-dt-resp-code`). */
const AWAY: ReadonlySet<string> = new Set(['1000'])
/** Widevine's statuses 127 and 175. */
const DEVICE_REVOKED: ReadonlySet<string> = new Set(['40001', '40002'])

const jsonLicence = z.looseObject({ license: z.string().min(1) })

function readResponse(response: ProviderResponse, { system }: LicenceRequest): Reading {
  const code = response.header('x-dt-resp-code')
  return {
    licence: licenceOf(system, response.body),
    deviceId: null,
    refusal: code === null || /^0+$/.test(code) ? null : toRefusal(code),
  }
}

function toRefusal(providerCode: string): NonNullable<Reading['refusal']> {
  if (DEVICE_REVOKED.has(providerCode)) return { code: 'drm_device_revoked', providerCode }
  return { code: AWAY.has(providerCode) ? 'drm_unavailable' : 'licence_refused', providerCode }
}

/** Raw with `specConform=true`, else JSON with base64; a CKC is base64. */
function licenceOf(system: DrmSystemName, body: Buffer): Buffer {
  const json = jsonLicence.safeParse(Object.fromEntries(jsonObjectOf(body) ?? []))
  if (json.success) return Buffer.from(json.data.license, 'base64')
  const text = body.toString('latin1')
  return system === 'fairplay' && isBase64Text(text) ? Buffer.from(text, 'base64') : body
}
