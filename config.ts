import { resolve } from 'node:path'
import { z } from 'zod'
import { API_REQUESTS_PER_DAY, API_REQUESTS_PER_MINUTE } from './domain/limits.ts'

const port = (fallback: number) => z.coerce.number().int().min(1).max(65_535).default(fallback)
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const host = z.string().min(1).default('127.0.0.1')

const schema = z.object({
  /** Holds all state of the embedded services. */
  REELGATE_DATA_DIR: z
    .string()
    .default('.reelgate')
    .transform((dir) => resolve(dir)),
  MASTER_KEY: z.string().min(64).optional(),

  API_HOST: host,
  API_PORT: port(8080),
  PLAYER_HOST: host,
  PLAYER_PORT: port(8081),
  /** Where viewers reach the player, and integrators the API; from the ports by default. */
  API_BASE_URL: baseUrl.optional(),
  EMBED_BASE_URL: baseUrl.optional(),
  /** A CDN in front of the segments; the player's own address by default. */
  MEDIA_BASE_URL: baseUrl.optional(),
  /** `redirect` answers segments with presigned addresses of the S3 storage; `stream` sends them. */
  MEDIA_DELIVERY: z.enum(['stream', 'redirect']).default('stream'),
  /** Memory of a player process for segments that are asked for again and again, in MiB. */
  MEDIA_CACHE_MIB: z.coerce.number().int().min(1).max(65_536).default(64),
  /** Where viewers reach the Direct Play pages: served by the player, on a host name of its own. */
  DIRECT_PLAY_BASE: baseUrl
    .refine((url) => new URL(url).pathname === '/', 'an address without a path')
    .optional(),
  /** Where viewers get the Android app: the pages of App-Only mode link to it, also by a QR code. */
  APP_LINK_ANDROID: z.url({ protocol: /^https$/ }).optional(),
  /** Host names that may always embed. */
  SERVICE_DOMAINS: list,
  /** How many proxies in front may be trusted for X-Forwarded-*; none by default. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),

  /** What `reelgate listen` calls the API with. */
  REELGATE_API_KEY: z.string().optional(),

  /** What each API key may ask for; the contract's numbers by default. */
  API_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(API_REQUESTS_PER_MINUTE),
  API_REQUESTS_PER_DAY: z.coerce.number().int().min(1).default(API_REQUESTS_PER_DAY),

  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  POSTGRES_PORT: port(5433),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),

  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s:]+:\d+$|^\[[^\]]+\]:\d+$/)
    .optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_PORT: port(7233),
  TEMPORAL_UI_PORT: port(8233),

  STORAGE_DIR: z.string().optional(),
  S3_ENDPOINT: baseUrl.optional(),
  /** Where browsers reach the S3 storage, for MEDIA_DELIVERY=redirect; S3_ENDPOINT by default. */
  S3_PUBLIC_ENDPOINT: baseUrl.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().default('reelgate'),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),

  /** Which task queues a worker serves: any of ingest, encode, webhooks. */
  WORKER_QUEUES: z
    .string()
    .default('ingest,encode,webhooks')
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(z.enum(['ingest', 'encode', 'webhooks'])).min(1)),
  /** How many ffmpeg processes a worker runs at once. */
  ENCODE_SLOTS: z.coerce.number().int().min(1).max(64).default(2),
  /** How many webhook attempts a worker has in flight at once. */
  WEBHOOK_SLOTS: z.coerce.number().int().min(4).max(2000).default(400),
  METRICS_ADDRESS: z.string().optional(),
  WORK_DIR: z.string().optional(),

  /** CIDRs that the egress guard lets through although they are not public; none by default. */
  EGRESS_ALLOWED_NETWORKS: list,
  /** A PEM file of certificate authorities that the egress guard trusts beside the public ones. */
  EGRESS_CA_FILE: z.string().optional(),
  /** DNS servers of the egress guard; the system's by default. */
  EGRESS_DNS_SERVERS: list,

  /** Signs what Stripe sends to `POST /stripe/webhook`; without it there is no such address. */
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'the signing secret of the Stripe endpoint, whsec_…')
    .optional(),

  /** The SPEKE v2 endpoint that makes the keys of Multi-DRM plans; needed by api and worker. */
  DRM_SPEKE_URL: z.url({ protocol: /^https$/ }).optional(),
  /** What the worker sends there as Authorization. */
  DRM_SPEKE_AUTHORIZATION: z.string().optional(),

  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** Every setting of every process, validated; the names are those of the environment variables. */
export type Config = ReturnType<typeof withDefaults>

/** Thrown by `loadConfig`: `message` lists every problem, one a line, each naming its variable. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Reads and validates the environment, once a process. Throws a ConfigError with every problem listed. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(present)
  if (parsed.success) return withDefaults(parsed.data)
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw unusable(...problems)
}

const unusable = (...problems: string[]): ConfigError =>
  new ConfigError(`The configuration is not usable:\n${problems.join('\n')}`)

const hostOf = (url: string): string => new URL(url).hostname

function withDefaults(env: z.infer<typeof schema>) {
  const embedBase = env.EMBED_BASE_URL ?? `http://${env.PLAYER_HOST}:${env.PLAYER_PORT}`
  if (env.DIRECT_PLAY_BASE && hostOf(env.DIRECT_PLAY_BASE) === hostOf(embedBase))
    throw unusable('DIRECT_PLAY_BASE: needs another host name than EMBED_BASE_URL')
  return {
    ...env,
    API_BASE_URL: env.API_BASE_URL ?? `http://${env.API_HOST}:${env.API_PORT}`,
    EMBED_BASE_URL: embedBase,
    MEDIA_BASE_URL: env.MEDIA_BASE_URL ?? embedBase,
    TEMPORAL_ADDRESS: env.TEMPORAL_ADDRESS ?? `127.0.0.1:${env.TEMPORAL_PORT}`,
    WORK_DIR: env.WORK_DIR ?? resolve(env.REELGATE_DATA_DIR, 'work'),
    /** Where objects are kept: any S3 where S3_ENDPOINT is set, else a folder. */
    storage: storageOf(env),
    /** Where redirected segments are fetched from; null where they are streamed. */
    redirectOrigin: redirectOriginOf(env),
    /** False: the supervisor starts the embedded one. */
    hasOwnDatabase: env.DATABASE_URL !== undefined,
    hasOwnTemporal: env.TEMPORAL_ADDRESS !== undefined,
    /** Without one, Multi-DRM plans cannot protect a video. */
    hasDrmProvider: env.DRM_SPEKE_URL !== undefined,
  }
}

function storageOf(env: z.infer<typeof schema>) {
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

function redirectOriginOf(env: z.infer<typeof schema>): string | null {
  if (env.MEDIA_DELIVERY === 'stream') return null
  const endpoint = required(env.S3_ENDPOINT, 'S3_ENDPOINT (for MEDIA_DELIVERY=redirect)')
  return new URL(env.S3_PUBLIC_ENDPOINT ?? endpoint).origin
}

/** Unwraps a setting that this process cannot do without; names its variable where it is missing. */
export function required<T>(value: T | undefined, variable: string): T {
  if (value === undefined) throw unusable(`${variable}: is needed`)
  return value
}
