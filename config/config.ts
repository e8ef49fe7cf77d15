import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { parseHeaderList } from '../domain/header-list.ts'
import { httpAddress } from '../domain/http-address.ts'
import { deliveriesNamespaceOf } from '../domain/workflow-ids.ts'
import { configSchema, SECRET_VARIABLES } from './schema.ts'
import { readSecretFiles } from './secret-files.ts'
import { valuesOf } from './values.ts'

/** Every setting of every process, validated. The names are those of the environment variables (docs/configuration.md). */
export type Config = ReturnType<typeof withDefaults>

/** Thrown by `loadConfig`. `message` lists every problem, one per line, each with its variable. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads and validates the environment, where an empty variable counts as unset, with the secrets that
 * `NAME_FILE` variables name. Throws a ConfigError.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ''),
  )
  const { env, problems } = readSecretFiles(present, SECRET_VARIABLES)
  const parsed = configSchema.safeParse(env, { error: needed })
  if (parsed.success && problems.length === 0) return withDefaults(parsed.data)
  const invalid = (parsed.error?.issues ?? []).map(
    ({ path: [name], message }) => `${String(name)}: ${message}`,
  )
  throw unusable(...problems, ...new Set(invalid))
}

/** Says what a variable needs, unless its schema has words of its own; it does not repeat the value, which may be a secret. */
function needed({ path: [name = ''] = [] }: { path?: PropertyKey[] | undefined }): string {
  const schema = Object.entries(configSchema.shape).find(([variable]) => variable === name)?.[1]
  return schema === undefined ? 'is not known' : `needs another value: ${valuesOf(schema)}`
}

/** The variables of a child process (`child-process.ts`): no setting, and so no secret. */
const FOR_CHILDREN = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR']

/** Returns what a child process gets of the environment: where programs, libraries and temporary files are. */
export const childEnvironment = (
  environment: NodeJS.ProcessEnv = process.env,
): Record<string, string> => ({
  LC_ALL: 'C',
  ...Object.fromEntries(
    FOR_CHILDREN.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    }),
  ),
})

const unusable = (...problems: string[]): ConfigError =>
  new ConfigError(`The configuration is not usable:\n${problems.join('\n')}`)

const hostOf = (url: string): string => new URL(url).hostname

function withDefaults(env: z.infer<typeof configSchema>) {
  const embedBase = env.EMBED_BASE_URL ?? httpAddress(env.PLAYER_HOST, env.PLAYER_PORT)
  if (env.DIRECT_PLAY_BASE && hostOf(env.DIRECT_PLAY_BASE) === hostOf(embedBase))
    throw unusable('DIRECT_PLAY_BASE: needs another host name than EMBED_BASE_URL')
  if (env.MEDIA_CMCD === 'on' && env.MEDIA_BASE_URL === undefined)
    throw unusable('MEDIA_CMCD: is for a CDN, which MEDIA_BASE_URL names')
  // A passkey needs a host name, not an IP address.
  const dashboardBase = env.DASHBOARD_BASE_URL ?? `http://localhost:${env.DASHBOARD_PORT}`
  return {
    ...env,
    ...databaseOf(env),
    REELGATE_DATA_DIR: resolve(env.REELGATE_DATA_DIR),
    PREBUILT_DIR: resolve(
      env.PREBUILT_DIR ?? fileURLToPath(new URL('../prebuilt', import.meta.url)),
    ),
    API_BASE_URL: env.API_BASE_URL ?? httpAddress(env.API_HOST, env.API_PORT),
    /** Where clients send uploads, and how many each account may have. */
    uploads: {
      base: env.UPLOADS_BASE_URL ?? env.API_BASE_URL ?? httpAddress(env.API_HOST, env.API_PORT),
      openMax: env.OPEN_UPLOADS_MAX,
    },
    EMBED_BASE_URL: embedBase,
    DASHBOARD_BASE_URL: dashboardBase,
    /** Hosts that may always embed: the operator's, and the dashboard, which shows the player. */
    serviceDomains: [...env.SERVICE_DOMAINS, hostOf(dashboardBase)],
    MEDIA_BASE_URL: env.MEDIA_BASE_URL ?? embedBase,
    TEMPORAL_ADDRESS: env.TEMPORAL_ADDRESS ?? `127.0.0.1:${env.TEMPORAL_PORT}`,
    /** Where the workflows of deliveries are, and all others. */
    namespaces: {
      main: env.TEMPORAL_NAMESPACE,
      deliveries:
        env.TEMPORAL_DELIVERIES_NAMESPACE ?? deliveriesNamespaceOf(env.TEMPORAL_NAMESPACE),
    },
    /** Where operators reach the Web UI of Temporal; null if that is not known. */
    temporalUiBase: temporalUiBaseOf(env),
    metricsAddress: metricsAddressOf(env),
    WORK_DIR: env.WORK_DIR ?? resolve(env.REELGATE_DATA_DIR, 'work'),
    /** Where objects are kept: in S3 if S3_ENDPOINT is set, otherwise in a folder. */
    storage: storageOf(env),
    /** Origin of redirected segments; null if the player sends them. */
    redirectOrigin: redirectOriginOf(env),
    /** How long records are kept. */
    retention: {
      playbackSessionDays: env.PLAYBACK_SESSIONS_KEPT_DAYS,
      securityEventDays: env.SECURITY_EVENTS_KEPT_DAYS,
      auditEntryDays: env.AUDIT_LOG_KEPT_DAYS,
      usageDays: env.USAGE_KEPT_DAYS,
      audienceDays: env.AUDIENCE_KEPT_DAYS,
      viewerDays: env.VIEWERS_KEPT_DAYS,
      deletedVideoDays: env.DELETED_VIDEOS_KEPT_DAYS,
    },
    /** Where traces are sent; null for nowhere. */
    tracing: tracingOf(env),
    /** If false, `npm start` runs an embedded PostgreSQL. */
    hasOwnDatabase: env.DATABASE_URL !== undefined,
    /** If false, `npm start` runs an embedded Temporal server. */
    hasOwnTemporal: env.TEMPORAL_ADDRESS !== undefined,
    /** Multi-DRM plans need a source of keys to protect videos, and licence servers to play them. */
    hasDrmProvider:
      (env.DRM_SPEKE_URL !== undefined || env.DRM_KEY_MODEL === 'own') &&
      env.DRM_LICENCE_PROVIDER !== undefined,
    /** The key server of Multi-DRM videos; null if none is configured. */
    speke: spekeOf(env),
  }
}

function databaseOf(env: z.infer<typeof configSchema>) {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_PASSWORD: password } = env
  if (DATABASE_URL === undefined && DATABASE_DIRECT_URL !== undefined)
    throw unusable('DATABASE_DIRECT_URL: is only for a pooler, which DATABASE_URL names')
  const isComplete = hasPassword(DATABASE_URL) && hasPassword(DATABASE_DIRECT_URL ?? DATABASE_URL)
  if (password !== undefined && isComplete)
    throw unusable('DATABASE_PASSWORD: DATABASE_URL has a password too; only one of them may')
  return {
    DATABASE_URL: withPassword(DATABASE_URL, password),
    /** The address of PostgreSQL itself, for what needs a session of its own. */
    DATABASE_DIRECT_URL: withPassword(DATABASE_DIRECT_URL ?? DATABASE_URL, password),
    /** The pooler that DATABASE_URL names; null if it names PostgreSQL itself. */
    databasePooler:
      DATABASE_DIRECT_URL === undefined
        ? null
        : { keepsStatements: env.DATABASE_POOLER_STATEMENTS === 'named' },
  }
}

const hasPassword = (url: string | undefined): boolean =>
  url !== undefined && new URL(url).password !== ''

function withPassword(address: string | undefined, password: string | undefined) {
  if (address === undefined || password === undefined || hasPassword(address)) return address
  const url = new URL(address)
  url.password = encodeURIComponent(password)
  return url.href
}

const temporalUiBaseOf = (env: z.infer<typeof configSchema>): string | null =>
  env.TEMPORAL_UI_BASE_URL ??
  (env.TEMPORAL_ADDRESS === undefined ? `http://127.0.0.1:${env.TEMPORAL_UI_PORT}` : null)

/** Where Prometheus reads this process; null if it does not. */
function metricsAddressOf({ METRICS_ADDRESS: address }: z.infer<typeof configSchema>) {
  if (address === undefined) return null
  const { hostname, port } = new URL(`http://${address}`)
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || 80) }
}

function tracingOf(env: z.infer<typeof configSchema>) {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null
  return {
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: parseHeaderList(env.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  }
}

function storageOf(env: z.infer<typeof configSchema>) {
  if (env.S3_ENDPOINT === undefined)
    return {
      driver: 'folder' as const,
      dir: env.STORAGE_DIR ?? resolve(env.REELGATE_DATA_DIR, 'storage'),
    }
  return {
    driver: 's3' as const,
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    bucket: env.S3_BUCKET,
    accessKey: required(env.S3_ACCESS_KEY, 'S3_ACCESS_KEY'),
    secretKey: required(env.S3_SECRET_KEY, 'S3_SECRET_KEY'),
    pathStyle: true,
    ...(env.S3_PUBLIC_ENDPOINT !== undefined && { publicEndpoint: env.S3_PUBLIC_ENDPOINT }),
  }
}

function spekeOf(env: z.infer<typeof configSchema>) {
  if (env.DRM_SPEKE_URL === undefined) return null
  const [certificate, privateKey] = [env.DRM_SPEKE_CERTIFICATE_FILE, env.DRM_SPEKE_PRIVATE_KEY_FILE]
  const hasIdentity = certificate !== undefined || privateKey !== undefined
  return {
    url: env.DRM_SPEKE_URL,
    authentication: spekeAuthenticationOf(env),
    identityFiles: hasIdentity
      ? {
          certificate: required(certificate, 'DRM_SPEKE_CERTIFICATE_FILE'),
          privateKey: required(privateKey, 'DRM_SPEKE_PRIVATE_KEY_FILE'),
        }
      : null,
  }
}

function spekeAuthenticationOf(env: z.infer<typeof configSchema>) {
  const kind = env.DRM_SPEKE_AUTH ?? (env.DRM_SPEKE_AUTHORIZATION === undefined ? 'none' : 'header')
  switch (kind) {
    case 'none':
      return { kind }
    case 'header':
      return { kind, value: required(env.DRM_SPEKE_AUTHORIZATION, 'DRM_SPEKE_AUTHORIZATION') }
    case 'basic':
    case 'digest':
      return {
        kind,
        username: required(env.DRM_SPEKE_USERNAME, 'DRM_SPEKE_USERNAME'),
        password: required(env.DRM_SPEKE_PASSWORD, 'DRM_SPEKE_PASSWORD'),
      }
    case 'sigv4':
      return {
        kind,
        region: required(env.DRM_SPEKE_AWS_REGION, 'DRM_SPEKE_AWS_REGION'),
        credentials: {
          accessKeyId: required(env.DRM_SPEKE_AWS_ACCESS_KEY, 'DRM_SPEKE_AWS_ACCESS_KEY'),
          secretAccessKey: required(env.DRM_SPEKE_AWS_SECRET_KEY, 'DRM_SPEKE_AWS_SECRET_KEY'),
          sessionToken: env.DRM_SPEKE_AWS_SESSION_TOKEN,
        },
      }
  }
}

function redirectOriginOf(env: z.infer<typeof configSchema>): string | null {
  if (env.MEDIA_DELIVERY === 'stream') return null
  const endpoint = required(env.S3_ENDPOINT, 'S3_ENDPOINT (for MEDIA_DELIVERY=redirect)')
  return new URL(env.S3_PUBLIC_ENDPOINT ?? endpoint).origin
}

/** Returns a setting that this process needs. Throws a ConfigError with its variable if it is unset. */
export function required<T>(value: T | undefined, variable: string): T {
  if (value === undefined) throw unusable(`${variable}: is needed`)
  return value
}
