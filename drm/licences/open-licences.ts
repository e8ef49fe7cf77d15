import { z } from 'zod'
import { DRM_SYSTEM_NAMES, type DrmSystemName } from '../../domain/drm/drm-system.ts'
import type { FairplayDelivery } from '../../domain/drm/fairplay-delivery.ts'
import type { KeyModel } from '../../domain/drm/key-model.ts'
import type { Egress } from '../../egress/egress.ts'
import { axinom } from './axinom.ts'
import {
  createCertificates,
  type CertificatesOptions,
  type CertificateSources,
} from './certificates.ts'
import { TemplateError } from './claim-template.ts'
import { createAdapter } from './create-adapter.ts'
import { doverunner } from './doverunner.ts'
import { drmtoday } from './drmtoday.ts'
import { framingSchema } from './framing.ts'
import { generic, GENERIC_ALGORITHMS } from './generic.ts'
import type { LicenceAdapter, LicenceUrls, Provider } from './licence-adapter.ts'

/** The providers that `DRM_LICENCE_PROVIDER` can name. */
export type LicenceProviderName = 'axinom' | 'doverunner' | 'drmtoday' | 'generic'

/** The variables about licences, as `config/sections/drm.ts` describes them. */
export type LicenceVariables = Readonly<Partial<Record<LicenceVariable, string | undefined>>>

const URL_VARIABLES = {
  widevine: 'DRM_WIDEVINE_URL',
  playready: 'DRM_PLAYREADY_URL',
  fairplay: 'DRM_FAIRPLAY_URL',
} as const

type LicenceVariable =
  | (typeof URL_VARIABLES)[DrmSystemName]
  | 'DRM_WIDEVINE_CERTIFICATE'
  | 'DRM_FAIRPLAY_CERTIFICATE'
  | 'DRM_AXINOM_COM_KEY_ID'
  | 'DRM_AXINOM_COM_KEY'
  | 'DRM_DOVERUNNER_SITE_ID'
  | 'DRM_DOVERUNNER_SITE_KEY'
  | 'DRM_DOVERUNNER_ACCESS_KEY'
  | 'DRM_DRMTODAY_MERCHANT'
  | 'DRM_DRMTODAY_SECRET'
  | 'DRM_GENERIC_HEADERS'
  | 'DRM_GENERIC_TOKEN_HEADER'
  | 'DRM_GENERIC_TOKEN_VALUE'
  | 'DRM_GENERIC_JWT_ALGORITHM'
  | 'DRM_GENERIC_JWT_SECRET'
  | 'DRM_GENERIC_JWT_HEADER'
  | 'DRM_GENERIC_CLAIMS'
  | 'DRM_GENERIC_FRAMING'
  | 'DRM_GENERIC_ENFORCES_HARDWARE'
  | 'DRM_GENERIC_REVOKED_CODES'

/** A variable is missing or wrong; `message` names it and never contains its value. */
export class LicenceSettingsError extends Error {
  override name = 'LicenceSettingsError'
}

export interface OpenLicencesOptions {
  egress: Egress
  logger: CertificatesOptions['logger']
  /** Undefined if the operator has configured no licence server. */
  provider: LicenceProviderName | undefined
  keyModel: KeyModel
  /** `dash` by default. */
  fairplayDelivery?: FairplayDelivery
  variables: LicenceVariables
}

/** The licence servers of the configuration. */
export interface OpenedLicences {
  adapter: LicenceAdapter
  /** Where the keys of new videos come from. With `own`, those of all videos are handed over. */
  keyModel: KeyModel
  fairplayDelivery: FairplayDelivery
  /** What the adapter asks; addresses may contain secrets. */
  urls: LicenceUrls
  certificateSources: CertificateSources
}

/** Returns the configured licence servers; null if none are. Throws a LicenceSettingsError. */
export function openLicences({
  egress,
  logger,
  provider,
  keyModel,
  fairplayDelivery = 'dash',
  variables,
}: OpenLicencesOptions): OpenedLicences | null {
  if (provider === undefined) return null
  const { DRM_WIDEVINE_CERTIFICATE: widevine, DRM_FAIRPLAY_CERTIFICATE: fairplay } = variables
  const certificateSources = {
    ...DEFAULT_CERTIFICATES[provider]?.(variables),
    ...(widevine !== undefined && { widevine }),
    ...(fairplay !== undefined && { fairplay }),
  }
  const certificates = createCertificates({ egress, sources: certificateSources, logger })
  const urls = urlsOf(variables, provider)
  const adapter = createAdapter(egress, PROVIDERS[provider](variables), urls, certificates)
  if (keyModel === 'own' && !adapter.takesKeys)
    throw new LicenceSettingsError(
      `DRM_KEY_MODEL: ${provider} takes no keys of others${provider === 'generic' ? ' unless DRM_GENERIC_CLAIMS contains {key_hex} or {key_base64}' : ''}`,
    )
  return { adapter, keyModel, fairplayDelivery, urls, certificateSources }
}

const DOVERUNNER = 'https://drm-license.doverunner.com/ri'
const DRMTODAY = 'https://lic.drmtoday.com'

/** Addresses that are the same for all customers; others have one for each tenant. */
const DEFAULT_URLS: Partial<Record<LicenceProviderName, LicenceUrls>> = {
  doverunner: {
    widevine: `${DOVERUNNER}/licenseManager.do`,
    playready: `${DOVERUNNER}/licenseManager.do`,
    fairplay: `${DOVERUNNER}/licenseManager.do`,
  },
  drmtoday: {
    widevine: `${DRMTODAY}/license-proxy-widevine/cenc/?specConform=true`,
    playready: `${DRMTODAY}/license-proxy-headerauth/drmtoday/RightsManager.asmx`,
    fairplay: `${DRMTODAY}/license-server-fairplay/`,
  },
}

const DEFAULT_CERTIFICATES: Partial<
  Record<LicenceProviderName, (variables: LicenceVariables) => { fairplay: string }>
> = {
  doverunner: ({ DRM_DOVERUNNER_SITE_ID: siteId = '' }) => ({
    fairplay: `${DOVERUNNER}/fpsKeyManager.do?siteId=${encodeURIComponent(siteId)}`,
  }),
}

const PROVIDERS: Record<LicenceProviderName, (variables: LicenceVariables) => Provider> = {
  axinom: (variables) =>
    axinom({
      communicationKeyId: read(variables, 'DRM_AXINOM_COM_KEY_ID', z.guid()),
      communicationKey: read(variables, 'DRM_AXINOM_COM_KEY', base64Of(32)),
    }),
  doverunner: (variables) =>
    doverunner({
      siteId: read(variables, 'DRM_DOVERUNNER_SITE_ID', z.string().min(1)),
      siteKey: read(variables, 'DRM_DOVERUNNER_SITE_KEY', z.string().length(32)),
      accessKey: read(variables, 'DRM_DOVERUNNER_ACCESS_KEY', z.string().min(1)),
    }),
  drmtoday: (variables) =>
    drmtoday({
      merchant: read(variables, 'DRM_DRMTODAY_MERCHANT', z.string().min(1)),
      secret: read(variables, 'DRM_DRMTODAY_SECRET', base64Of(32, 64)),
    }),
  generic: (variables) => {
    try {
      return genericOf(variables)
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      throw new LicenceSettingsError(`DRM_GENERIC_CLAIMS: ${error.message}`, { cause: error })
    }
  },
}

const genericOf = (variables: LicenceVariables): Provider =>
  generic({
    framing: read(variables, 'DRM_GENERIC_FRAMING', jsonOf(framingSchema), '{}'),
    headers: read(variables, 'DRM_GENERIC_HEADERS', jsonOf(texts), '{}'),
    tokenHeader: read(variables, 'DRM_GENERIC_TOKEN_HEADER', headerName, 'Authorization'),
    tokenValue: read(variables, 'DRM_GENERIC_TOKEN_VALUE', tokenValue, 'Bearer {token}'),
    algorithm: read(variables, 'DRM_GENERIC_JWT_ALGORITHM', z.enum(GENERIC_ALGORITHMS), 'HS256'),
    secret: read(variables, 'DRM_GENERIC_JWT_SECRET', secretBytes),
    jwtHeader: read(variables, 'DRM_GENERIC_JWT_HEADER', jsonOf(texts), '{}'),
    claims: read(variables, 'DRM_GENERIC_CLAIMS', z.string().min(2)),
    enforcesHardware:
      read(variables, 'DRM_GENERIC_ENFORCES_HARDWARE', z.enum(['true', 'false']), 'false') ===
      'true',
    revokedCodes: read(variables, 'DRM_GENERIC_REVOKED_CODES', z.string(), '')
      .split(',')
      .map((code) => code.trim()),
  })

const headerName = z.string().regex(/^[\w-]+$/)
const tokenValue = z.string().includes('{token}')
const texts = z.record(z.string(), z.string())

/** Parses JSON of this form. Zod's issues would quote the value, so they are dropped. */
const jsonOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom', message: 'it is not JSON' })
        return z.NEVER
      }
    })
    .pipe(schema)

const base64Of = (...lengths: number[]) =>
  z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((bytes) => lengths.includes(bytes.length))

/** A secret as text, or after `base64:` as bytes; private keys are PEM. */
const secretBytes = z
  .string()
  .min(1)
  .transform((text) =>
    text.startsWith('base64:') ? Buffer.from(text.slice(7), 'base64') : Buffer.from(text),
  )

const FORMS: Partial<Record<LicenceVariable, string>> = {
  DRM_AXINOM_COM_KEY: '32 bytes in base64',
  DRM_AXINOM_COM_KEY_ID: 'a UUID',
  DRM_DOVERUNNER_SITE_KEY: '32 characters',
  DRM_DRMTODAY_SECRET: '32 or 64 bytes in base64',
  DRM_GENERIC_TOKEN_VALUE: 'a text with {token}',
}

/** Reads one variable. Throws a LicenceSettingsError that names it and the form that it needs. */
function read<Schema extends z.ZodType>(
  variables: LicenceVariables,
  name: LicenceVariable,
  schema: Schema,
  fallback?: string,
): z.output<Schema> {
  const value = variables[name] ?? fallback
  if (value === undefined) throw new LicenceSettingsError(`${name}: is needed`)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new LicenceSettingsError(
    `${name}: must be ${FORMS[name] ?? 'as docs/configuration.md says'}`,
  )
}

/** The addresses of the licence servers. A system without one is not served. */
function urlsOf(variables: LicenceVariables, provider: LicenceProviderName): LicenceUrls {
  const urls: LicenceUrls = { ...DEFAULT_URLS[provider] }
  for (const system of DRM_SYSTEM_NAMES) {
    const name = URL_VARIABLES[system]
    if (variables[name] !== undefined)
      urls[system] = read(variables, name, z.url({ protocol: /^https$/ }))
  }
  if (Object.keys(urls).length > 0) return urls
  throw new LicenceSettingsError(`${Object.values(URL_VARIABLES).join(' or ')}: is needed`)
}
