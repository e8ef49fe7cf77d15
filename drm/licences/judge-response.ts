import type { DrmSystemName } from '../../domain/drm/drm-system.ts'
import type {
  LicenceRefusal,
  LicenceResponse,
  ProviderResponse,
  Reading,
} from './licence-adapter.ts'

/**
 * Judges the response of a licence server by status, type and body. PlayReady's servers send every refusal
 * with 500 and a SOAP fault; others refuse with JSON and 200. So a refusal is what says that it is one, a
 * licence is what has the form of one, and all else means that the server is away.
 */
export function judgeResponse(
  system: DrmSystemName,
  response: ProviderResponse,
  reading: Reading,
): LicenceResponse {
  const { deviceId } = reading
  const refused = (code: LicenceRefusal, providerCode: string | null): LicenceResponse => ({
    outcome: 'refused',
    code,
    providerCode: providerCode === null ? null : plainCode(providerCode),
    requestId: parseRequestId(response),
    deviceId,
  })
  const { status } = response
  if (reading.refusal) return refused(reading.refusal.code, reading.refusal.providerCode)
  const fault = soapFaultOf(response.body)
  if (fault !== null) return refused('licence_refused', fault)
  if (status >= 400 && status < 500 && !PASSING.has(status))
    return refused('licence_refused', `http_${status}`)
  if (status !== 200) return refused('drm_unavailable', `http_${status}`)
  if (!isLicence(system, reading.licence)) return refused('drm_unavailable', 'not_a_licence')
  return { outcome: 'granted', licence: reading.licence, deviceId }
}

/** Request timeout, and too many requests. */
const PASSING: ReadonlySet<number> = new Set([408, 429])

/**
 * Returns whether the bytes have the form of a licence. A Widevine message is a protobuf message whose first
 * field is its type; a PlayReady licence is the XML of a SOAP response; a CKC begins with its version in four
 * bytes.
 */
function isLicence(system: DrmSystemName, licence: Buffer): boolean {
  if (system === 'widevine') return licence.length > 2 && licence[0] === 0x08
  if (system === 'fairplay') return licence.length > 16 && licence.readUIntBE(0, 3) === 0
  return /<(\w+:)?AcquireLicenseResponse\b/.test(licence.toString('utf8'))
}

/** Returns the status code of a SOAP fault, or `soap_fault`; null if the body is none. */
function soapFaultOf(body: Buffer): string | null {
  const text = body.toString('utf8')
  if (!/<(\w+:)?Fault\b/.test(text)) return null
  return /\b0x[0-9a-f]{8}\b/i.exec(text)?.[0] ?? 'soap_fault'
}

/** Returns a provider's code without anything that could be another text. */
const plainCode = (code: string): string => (/^[\w.-]{1,64}$/.test(code) ? code : 'unreadable_code')

const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid']

/** Returns the id that the provider gave its response; null if it gave none or one of another form. */
function parseRequestId(response: ProviderResponse): string | null {
  const id = REQUEST_ID_HEADERS.map((name) => response.header(name)).find((one) => one !== null)
  return id !== undefined && id !== null && /^[\w.:=+/-]{1,100}$/.test(id) ? id : null
}

/** Returns the refusal that a provider's text about its reason means. */
export function toRefusal(text: string): LicenceRefusal {
  if (/revoked|revocation/i.test(text)) return 'drm_device_revoked'
  if (/security[ _-]?level|robustness/i.test(text)) return 'drm_security_too_low'
  if (/hdcp|output[ _-]?protection/i.test(text)) return 'drm_output_blocked'
  return 'licence_refused'
}

/** A text or number of a JSON object, as text; null if the field is absent or of another type. */
export function textIn(object: Map<string, unknown> | null, name: string): string | null {
  const value = object?.get(name)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** The fields of a JSON object; null for anything else. */
export function jsonObjectOf(body: Buffer): Map<string, unknown> | null {
  if (!/^\s*\{/.test(body.toString('latin1', 0, 64))) return null
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null
  } catch {
    return null
  }
}
