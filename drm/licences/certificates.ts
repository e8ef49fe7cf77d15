import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { DEFAULT_LICENCE_POLICY } from '../../domain/drm/licence-policy.ts'
import type { Egress } from '../../egress/egress.ts'
import { isBase64Text } from '../base64.ts'
import type { CertificateSystem, LicenceRequest, LicenceResponse } from './licence-adapter.ts'

/** Where certificates come from: an https address or a file; absent if the licence server is asked. */
export type CertificateSources = Partial<Record<CertificateSystem, string>>

export interface CertificatesOptions {
  egress: Egress
  sources: CertificateSources
  logger: { warn: (facts: object, message: string) => void }
}

type RequestLicence = (request: LicenceRequest) => Promise<LicenceResponse>

/** The cached certificates of the licence servers. */
export interface Certificates {
  /** Resolves to the certificate; null if there is none now. Widevine's can be had from the licence server. */
  get(system: CertificateSystem, requestLicence: RequestLicence): Promise<Buffer | null>
}

const FRESH_MS = 6 * 3_600_000
/** How soon a failed fetch is repeated. A certificate that was fetched before stays in use. */
const RETRY_MS = 30_000
const DEADLINE_MS = 5000
const MAX_BYTES = 64 * 1024
/** A FairPlay certificate is renewed by hand at Apple, which can take weeks. */
export const CERTIFICATE_WARN_DAYS = 30
const DAY_MS = 86_400_000

interface Cached {
  certificate: Buffer | null
  staleAtMs: number
}

/** Creates the cache. A certificate is fetched by its first reader, and again every six hours. */
export function createCertificates(options: CertificatesOptions): Certificates {
  const cache = new Map<CertificateSystem, Cached>()
  const running = new Map<CertificateSystem, Promise<Buffer | null>>()
  const fetch = async (system: CertificateSystem, ask: RequestLicence): Promise<Buffer | null> => {
    const fetched = await fetchCertificate(options, system, ask)
    if (fetched) warnOfExpiry(options, system, fetched)
    const certificate = fetched ?? cache.get(system)?.certificate ?? null
    const staleAtMs = performance.now() + (fetched ? FRESH_MS : RETRY_MS)
    cache.set(system, { certificate, staleAtMs })
    return certificate
  }
  return {
    async get(system, requestLicence) {
      const cached = cache.get(system)
      if (cached && performance.now() < cached.staleAtMs) return cached.certificate
      const fetching =
        running.get(system) ??
        fetch(system, requestLicence).finally(() => void running.delete(system))
      running.set(system, fetching)
      return fetching
    },
  }
}

async function fetchCertificate(
  { egress, sources, logger }: CertificatesOptions,
  system: CertificateSystem,
  requestLicence: RequestLicence,
): Promise<Buffer | null> {
  try {
    return await readCertificate({ egress, sources, requestLicence }, system)
  } catch (error) {
    // Neither the address nor the response enters the log: both may contain a secret.
    const reason = error instanceof CertificateError ? error.message : 'it could not be read'
    logger.warn({ system, reason }, 'the certificate of the licence server is not available')
    return null
  }
}

interface CertificateQuestion {
  egress: Egress
  sources: CertificateSources
  requestLicence: RequestLicence
}

/**
 * Reads a certificate from its file or address, or from the licence server. Resolves to null if FairPlay has no
 * source. Throws a CertificateError, an EgressError, or the error of a file.
 */
export async function readCertificate(
  { egress, sources, requestLicence }: CertificateQuestion,
  system: CertificateSystem,
): Promise<Buffer | null> {
  const source = sources[system]
  if (source === undefined)
    return system === 'widevine' ? await serviceCertificate(requestLicence) : null
  const bytes = source.startsWith('https:')
    ? await download(egress, source)
    : await readFile(source)
  return certificateOf(bytes)
}

/** There is no certificate at its source. `message` quotes nothing of the address or the response. */
export class CertificateError extends Error {
  override name = 'CertificateError'
}

async function download(egress: Egress, url: string): Promise<Buffer> {
  const request = { url, method: 'GET', deadlineMs: DEADLINE_MS, maxRedirects: 3 } as const
  const response = await egress.request({ ...request, maxResponseBytes: MAX_BYTES })
  const bytes = await buffer(response.body)
  if (response.status !== 200)
    throw new CertificateError(`the server responded with ${response.status}`)
  return bytes
}

/** The request of a Widevine CDM for the certificate of the licence service: a message of type 4. */
export const SERVICE_CERTIFICATE_REQUEST = Buffer.from([0x08, 0x04])

/** Asks the licence server itself; the entitlement contains no key. */
async function serviceCertificate(requestLicence: RequestLicence): Promise<Buffer> {
  const response = await requestLicence({
    system: 'widevine',
    challenge: SERVICE_CERTIFICATE_REQUEST,
    contentType: null,
    soapAction: null,
    videoId: 'certificate',
    viewerId: null,
    sessionId: 'certificate',
    keys: [],
    policy: DEFAULT_LICENCE_POLICY,
    nowMs: Date.now(),
  })
  if (response.outcome === 'granted') return response.licence
  throw new CertificateError(
    `the licence server refused: ${response.providerCode ?? response.code}`,
  )
}

/** Returns the certificate as bytes; providers and files also have it in base64 or PEM. */
function certificateOf(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').trim()
  if (text.startsWith('-----BEGIN CERTIFICATE-----'))
    return Buffer.from(new X509Certificate(text).raw)
  if (text === '' || /^[<{]/.test(text)) throw new CertificateError('it is not a certificate')
  return isBase64Text(text) ? Buffer.from(text, 'base64') : bytes
}

/**
 * When a certificate ends; null if it does not say so. Apple's newer bundles and Widevine's message are no
 * X.509 certificates.
 */
export function certificateExpiry(certificate: Buffer): Date | null {
  try {
    return new X509Certificate(certificate).validToDate
  } catch {
    return null
  }
}

/** Whole days from now to a time; negative if it has passed. */
export const daysUntil = (time: Date): number => Math.floor((time.getTime() - Date.now()) / DAY_MS)

function warnOfExpiry(
  { logger }: CertificatesOptions,
  system: CertificateSystem,
  certificate: Buffer,
): void {
  const expiresAt = certificateExpiry(certificate)
  if (expiresAt === null) return
  const daysLeft = daysUntil(expiresAt)
  if (daysLeft < 0)
    logger.warn({ system, expiresAt }, 'the certificate of the licence server has ended')
  else if (daysLeft < CERTIFICATE_WARN_DAYS)
    logger.warn({ system, expiresAt, daysLeft }, 'the certificate of the licence server ends soon')
}
