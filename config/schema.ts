import { z } from 'zod'
import { APP_ATTEST_ENVIRONMENTS } from '../domain/drm/app-attest-environment.ts'
import { FAIRPLAY_DELIVERIES } from '../domain/drm/fairplay-delivery.ts'
import { KEY_SHARINGS } from '../domain/drm/key-contract.ts'
import { KEY_MODELS } from '../domain/drm/key-model.ts'
import { parseHeaderList } from '../domain/header-list.ts'
import { ENCODE_MODES } from '../domain/ingest/encode-mode.ts'
import { API_REQUESTS_PER_DAY, API_REQUESTS_PER_MINUTE, USAGE_DAYS_MAX } from '../domain/limits.ts'
import { DEFAULT_RETENTION } from '../domain/retention.ts'

/** The documentation of one variable, for `docs/configuration.md`. */
interface VariableDocs {
  description: string
  /** Describes the values of a text; numbers and choices describe themselves. */
  values?: string
  unit?: string | undefined
  /** Describes a default that depends on something else. */
  defaultText?: string | undefined
  /** Whether a file may hold the value, named by `NAME_FILE`. */
  isSecret?: boolean
}

/** The documentation of each variable, by its schema. */
export const variableDocs = z.registry<VariableDocs>()

const documented = <Schema extends z.ZodType>(schema: Schema, docs: VariableDocs): Schema => {
  variableDocs.add(schema, docs)
  return schema
}

const host = (description: string) =>
  documented(listenHost.default('127.0.0.1').transform(withoutBrackets), {
    values: 'IP address or host name',
    description,
  })

/** An IPv6 address may have the brackets that it needs in addresses. */
const listenHost = z.string().regex(/^(\[?[0-9a-f:.]*:[0-9a-f:.]*(%\w+)?\]?|[\w.-]+)$/i)

const withoutBrackets = (text: string): string => text.replaceAll(/[[\]]/g, '')

const port = (fallback: number, description: string) => integer(fallback, [1, 65_535], description)

const integer = (
  fallback: number,
  [min, max = Number.MAX_SAFE_INTEGER]: [min: number, max?: number],
  description: string,
  unit?: string,
) => documented(z.coerce.number().int().min(min).max(max).default(fallback), { description, unit })

const baseUrl = (description: string, defaultText?: string) =>
  documented(webAddress.optional(), { values: 'http or https address', description, defaultText })

const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

const httpsUrl = (description: string) =>
  documented(z.url({ protocol: /^https$/ }).optional(), { values: 'https address', description })

const text = (values: string, description: string, defaultText?: string) =>
  documented(z.string().optional(), { values, description, defaultText })

const secret = (values: string, description: string, defaultText?: string) =>
  documented(z.string().optional(), { values, description, defaultText, isSecret: true })

const name = (fallback: string, description: string) =>
  documented(z.string().min(1).default(fallback), { values: 'name', description })

const list = (items: string, description: string, defaultText?: string) =>
  documented(z.string().default('').transform(splitList), {
    values: `${items}, separated by commas`,
    description,
    defaultText,
  })

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const general = {
  REELGATE_DATA_DIR: documented(z.string().default('.reelgate'), {
    values: 'folder',
    description: 'Folder that holds all state of the embedded services.',
  }),
  MASTER_KEY: documented(z.string().min(64).optional(), {
    values: '`<hex>` or `<version>:<hex>,…`',
    description:
      'Encrypts the stored secrets and content keys: a key of 64 hex characters, or several with their versions, the current one first ([changing the key](operating/master-key.md)). `npm start` creates one in the data folder; other processes require the variable.',
    isSecret: true,
  }),
  PREBUILT_DIR: text(
    'folder',
    'Folder with the scripts for browsers and the workflows, bundled by `node scripts/write-prebuilt.ts`. A process bundles what is not there when it starts, and keeps it there if the folder exists.',
    '`prebuilt` in the folder of the code, which the container image has; `npm start` keeps a folder for the state of the sources in `.cache/bundles`',
  ),
  LOG_LEVEL: documented(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    { description: 'Lowest level of the lines in the log.' },
  ),
  METRICS_ADDRESS: documented(
    z
      .string()
      .regex(/^[^\s:]+:\d+$|^\[[^\]]+\]:\d+$/)
      .optional(),
    {
      values: '`host:port`',
      description:
        'Address on which each process serves `GET /metrics` for Prometheus, and a worker also `GET /healthz` and `GET /readyz` ([metrics](metrics.md)). It needs no key, so it must not be public. `npm start` gives this port to the API and the next three to player, dashboard and worker. Unset: none.',
    },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl(
    'Collector of OpenTelemetry to which each process sends its traces, by OTLP over HTTP at `/v1/traces` below this address ([traces](traces.md)). Unset: no traces.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: documented(
    z
      .string()
      .refine(
        (text) => parseHeaderList(text) !== null,
        'headers as name=value, separated by commas',
      )
      .optional(),
    {
      values: '`name=value`, separated by commas, with `%` escapes',
      description: 'Headers of each request to the collector, such as its key.',
      isSecret: true,
    },
  ),
  OTEL_TRACES_SAMPLER_ARG: documented(z.coerce.number().min(0).max(1).default(1), {
    values: '0 to 1',
    description:
      'Share of the requests that are traced. All processes need the same value, so that traces are complete.',
  }),
}

const servers = {
  API_HOST: host('Address that the API listens on.'),
  API_PORT: port(8080, 'Port that the API listens on.'),
  API_BASE_URL: baseUrl(
    'Where integrators reach the API. The documentation and `doc_url` use it.',
    '`http://API_HOST:API_PORT`',
  ),
  API_REQUESTS_PER_MINUTE: integer(
    API_REQUESTS_PER_MINUTE,
    [1],
    'Requests that each API key may make in a minute. Every API process needs the same number.',
    'requests',
  ),
  API_REQUESTS_PER_DAY: integer(
    API_REQUESTS_PER_DAY,
    [1],
    'Requests that each API key may make in a day. Every API process needs the same number.',
    'requests',
  ),
  PLAYER_HOST: host('Address that the player listens on.'),
  PLAYER_PORT: port(8081, 'Port that the player listens on.'),
  EMBED_BASE_URL: baseUrl(
    'Where viewers reach the player. Embed links begin with it.',
    '`http://PLAYER_HOST:PLAYER_PORT`',
  ),
  DASHBOARD_HOST: host('Address that the dashboard listens on.'),
  DASHBOARD_PORT: port(8082, 'Port that the dashboard listens on.'),
  DASHBOARD_BASE_URL: documented(
    webAddress
      .refine((url) => new URL(url).pathname === '/', 'an address without a path')
      .optional(),
    {
      values: 'http or https address without a path',
      description:
        'Where members reach the dashboard. Sign-in works only at this address, so behind a proxy with TLS it is the https one; passkeys need a host name and https, or localhost.',
      defaultText: '`http://localhost:DASHBOARD_PORT`',
    },
  ),
  TRUSTED_PROXIES: integer(
    0,
    [0, 10],
    'Number of proxies in front whose `X-Forwarded-*` headers are trusted.',
    'proxies',
  ),
  DRAIN_DELAY_SECONDS: integer(
    0,
    [0, 300],
    'How long API, player and dashboard accept requests after SIGTERM. Meanwhile `GET /readyz` is 503 and each response closes its connection, so that load balancers send requests elsewhere; set it longer than they need for that ([Kubernetes](kubernetes.md)). Then running requests have five seconds.',
    'seconds',
  ),
}

const player = {
  SERVICE_DOMAINS: list(
    'host names',
    'Host names that may always embed, such as `a.example,*.b.example`, in addition to that of `DASHBOARD_BASE_URL`. An account can still block them.',
  ),
  DIRECT_PLAY_BASE: documented(
    webAddress
      .refine((url) => new URL(url).pathname === '/', 'an address without a path')
      .optional(),
    {
      values: 'http or https address',
      description:
        'Where viewers reach the Direct Play pages, without a path. The player serves them; the host name must differ from that of `EMBED_BASE_URL`. Unset: Direct Play is off.',
    },
  ),
  APP_LINK_ANDROID: httpsUrl('Where viewers get the Android app. App-Only pages link to it.'),
  MEDIA_BASE_URL: baseUrl(
    'Address of a CDN in front of the segments, whose origin is the player.',
    '`EMBED_BASE_URL`',
  ),
  MEDIA_DELIVERY: documented(z.enum(['stream', 'redirect']).default('stream'), {
    description:
      '`stream`: the player sends segments. `redirect`: it responds with presigned addresses of the S3 storage.',
  }),
  MEDIA_CACHE_MIB: integer(64, [1, 65_536], 'Memory for segments, per player.', 'MiB'),
}

const record = {
  DATABASE_URL: documented(z.url({ protocol: /^postgres(ql)?$/ }).optional(), {
    values: '`postgres://` address',
    description:
      'Connection string of PostgreSQL. Unset: `npm start` runs an embedded one; other processes require the variable.',
    isSecret: true,
  }),
  DATABASE_PASSWORD: secret('text', 'Password for `DATABASE_URL`, if that has none.'),
  DATABASE_POOL_SIZE: integer(
    10,
    [1, 200],
    'Connections to PostgreSQL that each process may open.',
    'connections',
  ),
  POSTGRES_PORT: port(
    5433,
    'Port of the embedded PostgreSQL. If the default port is taken, another one is chosen.',
  ),
}

const temporal = {
  TEMPORAL_ADDRESS: documented(
    z
      .string()
      .regex(/^[^\s:]+:\d+$|^\[[^\]]+\]:\d+$/)
      .optional(),
    {
      values: '`host:port`',
      description: 'Address of Temporal. Unset: `npm start` runs an embedded one.',
      defaultText: '`127.0.0.1:TEMPORAL_PORT`',
    },
  ),
  TEMPORAL_NAMESPACE: name('default', 'Namespace of the workflows.'),
  TEMPORAL_PORT: port(7233, 'Port of the embedded Temporal server.'),
  TEMPORAL_UI_PORT: port(8233, 'Port of the Web UI of the embedded Temporal server.'),
  TEMPORAL_UI_BASE_URL: baseUrl(
    'Where operators reach the Web UI of Temporal. The dashboard links to it, only for them. Unset beside `TEMPORAL_ADDRESS`: no link.',
    '`http://127.0.0.1:TEMPORAL_UI_PORT`',
  ),
}

const storage = {
  STORAGE_DIR: text(
    'folder',
    'Folder that holds the objects unless `S3_ENDPOINT` is set.',
    '`storage` in the data folder',
  ),
  S3_ENDPOINT: baseUrl('Address of the S3 storage. Unset: objects are kept in a folder.'),
  S3_PUBLIC_ENDPOINT: baseUrl(
    'Where browsers reach the S3 storage if `MEDIA_DELIVERY` is `redirect`.',
    '`S3_ENDPOINT`',
  ),
  S3_REGION: name('us-east-1', 'Region of the bucket.'),
  S3_BUCKET: name('reelgate', 'Bucket that holds the objects.'),
  S3_ACCESS_KEY: secret('text', 'Access key of the S3 storage. Required if `S3_ENDPOINT` is set.'),
  S3_SECRET_KEY: secret('text', 'Secret key of the S3 storage. Required if `S3_ENDPOINT` is set.'),
}

const queues = z.array(z.enum(['ingest', 'download', 'encode', 'webhooks'])).min(1)

const worker = {
  WORKER_QUEUES: documented(
    z
      .string()
      .default('ingest,encode,webhooks')
      .transform((names) => names.split(',').map((queue) => queue.trim()))
      .pipe(queues),
    {
      values: '`ingest`, `download`, `encode`, `webhooks`, separated by commas',
      description:
        'Task queues that a worker serves. Each queue needs a worker; those of `webhooks` also start the workflows of all accepted work. One of `ingest` also serves `download` unless its `DOWNLOAD_SLOTS` is 0.',
    },
  ),
  DOWNLOAD_SLOTS: integer(
    40,
    [0, 500],
    'Downloads that a worker makes at the same time. One account gets at most a third of them. With 0 a worker of `ingest` leaves them to others.',
    'downloads',
  ),
  ENCODE_SLOTS: integer(
    2,
    [1, 64],
    'Encoders that a worker runs at the same time: so many for what makes a video playable, and so many for other rungs.',
    'processes',
  ),
  ENCODE_MODE: documented(z.enum(ENCODE_MODES).default('speed'), {
    description:
      'What encoders of videos that are added later aim at. `speed`: done soon. `quality`: fewer bytes at the same quality, for about 1.4 times the processor time; trial encodes choose the quality of each resolution of videos of at least five minutes, and leave out resolutions that bring nothing ([what it saves](operating/processes.md#workers)). All workers need the same value.',
  }),
  WEBHOOK_SLOTS: integer(
    400,
    [4, 2000],
    'Webhook attempts that a worker has in flight at the same time.',
    'attempts',
  ),
  WEBHOOK_ENDPOINT_SLOTS: integer(
    10,
    [1, 400],
    'Webhook attempts that a worker has in flight to one endpoint at the same time.',
    'attempts',
  ),
  WORK_DIR: text(
    'folder',
    'Scratch space of a worker: sources, and renditions while they are encoded.',
    '`work` in the data folder',
  ),
}

/** The longest retention: 100 years. */
const KEPT_DAYS_MAX = 36_500

const keptDays = (fallback: number, minimum: number, description: string) =>
  integer(fallback, [minimum, KEPT_DAYS_MAX], description, 'days')

const retention = {
  PLAYBACK_SESSIONS_KEPT_DAYS: keptDays(
    DEFAULT_RETENTION.playbackSessionDays,
    2,
    'How long playback sessions are kept after they began, with viewer ids, browsers and the position at which a viewer continues.',
  ),
  SECURITY_EVENTS_KEPT_DAYS: keptDays(
    DEFAULT_RETENTION.securityEventDays,
    1,
    'How long security events are kept.',
  ),
  AUDIT_LOG_KEPT_DAYS: keptDays(
    DEFAULT_RETENTION.auditEntryDays,
    30,
    'How long entries of the audit log are kept.',
  ),
  USAGE_KEPT_DAYS: keptDays(
    DEFAULT_RETENTION.usageDays,
    USAGE_DAYS_MAX,
    'How long the usage of each day is kept.',
  ),
  DELETED_VIDEOS_KEPT_DAYS: keptDays(
    DEFAULT_RETENTION.deletedVideoDays,
    1,
    'How long the row of a deleted video is kept, with its title; at least as long as one of its playback sessions.',
  ),
}

const egress = {
  EGRESS_ALLOWED_NETWORKS: list(
    'CIDR networks',
    'Networks that source links and webhooks may reach although they are not public. For tests and closed installations.',
  ),
  EGRESS_CA_FILE: text(
    'file',
    'PEM file of certificate authorities that are trusted in addition to the public ones.',
  ),
  EGRESS_DNS_SERVERS: list(
    'IP addresses',
    'DNS servers for source links and webhooks; `resolv.conf` stands for those of the machine. Set it in production: the system’s resolver runs only two lookups of a process at the same time.',
    'the system’s resolver',
  ),
  EGRESS_CONTROL_HOSTS: list(
    '`host` or `host:port`',
    'Public hosts that show whether the network works when a source or a webhook cannot be reached: new names below them are looked up, and their port, 443 by default, is connected to, without sending anything. Choose two or more that are seldom away, such as those of your S3 service and of your DNS provider.',
    'hosts that were reached lately',
  ),
}

const integrations = {
  STRIPE_WEBHOOK_SECRET: documented(
    z
      .string()
      .regex(/^whsec_\S+$/, 'the signing secret of the Stripe endpoint, whsec_…')
      .optional(),
    {
      values: '`whsec_…`',
      description:
        'Signing secret of the webhook endpoint in Stripe. Unset: `POST /stripe/webhook` does not exist.',
      isSecret: true,
    },
  ),
  REELGATE_API_KEY: secret(
    '`rg_live_…`',
    'API key that `reelgate listen` uses unless `--key-file` or `--key` is given.',
  ),
  REELGATE_WEBHOOK_SECRET: secret(
    '`whsec_…`',
    'Signing secret that `reelgate verify-receiver` and `reelgate listen` use unless `--secret-file` or `--secret` is given.',
  ),
}

const drm = {
  DRM_KEY_MODEL: documented(z.enum(KEY_MODELS).default('provider'), {
    description:
      'Where the keys of Multi-DRM videos come from. `provider`: from the key server at `DRM_SPEKE_URL`. `own`: they are made here and handed to the DRM provider with each licence request, so that another provider can take over without encoding anything again. Every process and the CLI need it.',
  }),
  DRM_KEYS: documented(z.enum(KEY_SHARINGS).default('separate'), {
    description:
      'Keys of a Multi-DRM video. `separate`: one each for audio, SD, HD and UHD, so that licences can leave some out. `video-shared`: one for audio, one for video. `all-shared`: one for everything. Applies to videos that are created later.',
  }),
  DRM_SPEKE_URL: httpsUrl(
    'SPEKE 2.0 endpoint that makes the keys of Multi-DRM videos. The API, the dashboard, the worker and the CLI need it. Unset, with `DRM_KEY_MODEL=provider`: Multi-DRM plans are refused.',
  ),
  DRM_SPEKE_AUTH: documented(z.enum(['none', 'header', 'basic', 'digest', 'sigv4']).optional(), {
    description:
      'How the worker authenticates at `DRM_SPEKE_URL`. `sigv4`: AWS Signature Version 4 for an Amazon API Gateway.',
    defaultText: '`header` if `DRM_SPEKE_AUTHORIZATION` is set, otherwise `none`',
  }),
  DRM_SPEKE_AUTHORIZATION: secret('text', 'Authorization header of `DRM_SPEKE_AUTH=header`.'),
  DRM_SPEKE_USERNAME: text('text', 'User name of `DRM_SPEKE_AUTH=basic` and `digest`.'),
  DRM_SPEKE_PASSWORD: secret('text', 'Password of `DRM_SPEKE_AUTH=basic` and `digest`.'),
  DRM_SPEKE_AWS_REGION: text('text', 'Region of `DRM_SPEKE_AUTH=sigv4`, such as `eu-central-1`.'),
  DRM_SPEKE_AWS_ACCESS_KEY: secret('text', 'Access key id of `DRM_SPEKE_AUTH=sigv4`.'),
  DRM_SPEKE_AWS_SECRET_KEY: secret('text', 'Secret access key of `DRM_SPEKE_AUTH=sigv4`.'),
  DRM_SPEKE_AWS_SESSION_TOKEN: secret(
    'text',
    'Session token of `DRM_SPEKE_AUTH=sigv4`, for temporary credentials.',
  ),
  DRM_SPEKE_CERTIFICATE_FILE: text(
    'file',
    'PEM file of a certificate (RSA, 2048 bits) that the DRM provider encrypts content keys for. Keys in clear are then refused. Unset: keys come in clear, over TLS.',
  ),
  DRM_SPEKE_PRIVATE_KEY_FILE: text(
    'file',
    'PEM file of the private key of `DRM_SPEKE_CERTIFICATE_FILE`, without a passphrase.',
  ),
}

const licences = {
  DRM_LICENCE_PROVIDER: documented(
    z.enum(['axinom', 'doverunner', 'drmtoday', 'generic']).optional(),
    {
      description:
        'Whose licence servers the player asks for licences of Multi-DRM videos. `generic` is any server that takes a JWT. The player, the API, the dashboard and the CLI need it; the other variables are for the player and for `reelgate doctor drm`. Unset: Multi-DRM plans are refused.',
    },
  ),
  DRM_WIDEVINE_URL: httpsUrl(
    'Licence server for Widevine. DoveRunner and DRMtoday have a default; a system without an address is not served.',
  ),
  DRM_PLAYREADY_URL: httpsUrl('The same for PlayReady.'),
  DRM_FAIRPLAY_URL: httpsUrl('The same for FairPlay.'),
  DRM_WIDEVINE_CERTIFICATE: text(
    'file or https address',
    'Certificate of the Widevine licence service. Unset: the licence server is asked for it.',
  ),
  DRM_FAIRPLAY_CERTIFICATE: text(
    'file or https address',
    'FairPlay certificate from Apple, as DER, PEM or base64. The log warns 30 days before it ends.',
    'DoveRunner: its address for the site',
  ),
  DRM_FAIRPLAY_DELIVERY: documented(z.enum(FAIRPLAY_DELIVERIES).default('dash'), {
    description:
      'How Safari plays Multi-DRM videos. `dash`: from the DASH manifest, as every other browser. `hls`: by its own player from HLS playlists, which then chooses the quality alone.',
  }),
  DRM_AXINOM_COM_KEY_ID: text('UUID', 'Communication key id of Axinom DRM.'),
  DRM_AXINOM_COM_KEY: secret('base64 of 32 bytes', 'Communication key of Axinom DRM.'),
  DRM_DOVERUNNER_SITE_ID: text('text', 'Site id of DoveRunner.'),
  DRM_DOVERUNNER_SITE_KEY: secret('32 characters', 'Site key of DoveRunner.'),
  DRM_DOVERUNNER_ACCESS_KEY: secret('text', 'Access key of DoveRunner.'),
  DRM_DRMTODAY_MERCHANT: text('text', 'Merchant of DRMtoday.'),
  DRM_DRMTODAY_SECRET: secret(
    'base64 of 32 or 64 bytes',
    'Shared secret of DRMtoday: 32 bytes sign with HS256, 64 with HS512.',
  ),
  DRM_GENERIC_CLAIMS: text(
    'JSON object',
    'Claims of the token for a generic server, with placeholders: `{video_id}`, `{viewer}`, `{session_id}`, `{system}`, `{now}`, `{expires}`, `{token_id}`, `{licence_seconds}`, `{renewal_seconds}`, `{key_ids}`, `{key_ids_hex}`; in an object of a list with `"$each": "keys"` also `{key_id}`, `{key_id_hex}`, `{key_hex}`, `{key_base64}`, `{iv_hex}`, `{track}`, `{needs_hardware}`, `{hdcp}`.',
  ),
  DRM_GENERIC_JWT_ALGORITHM: documented(
    z.enum(['HS256', 'HS384', 'HS512', 'RS256', 'ES256', 'EdDSA']).optional(),
    { description: 'How the token is signed.', defaultText: '`HS256`' },
  ),
  DRM_GENERIC_JWT_SECRET: secret(
    'text, or `base64:…`',
    'Secret of the token; for RS256, ES256 and EdDSA a private key as PEM.',
  ),
  DRM_GENERIC_JWT_HEADER: text('JSON object', 'Further fields of the header of the token.', '`{}`'),
  DRM_GENERIC_TOKEN_HEADER: text('header name', 'Header with the token.', '`Authorization`'),
  DRM_GENERIC_TOKEN_VALUE: text('text with `{token}`', 'Its value.', '`Bearer {token}`'),
  DRM_GENERIC_HEADERS: secret('JSON object', 'Further headers of each licence request.', '`{}`'),
  DRM_GENERIC_FRAMING: text(
    'JSON object',
    'How a system’s challenge and licence are packed: `raw`, `base64`, `form:FIELD` or `json:PATH`, such as `{"fairplay":{"request":"json:spc","response":"json:ckc"}}`.',
    '`raw` for all',
  ),
  DRM_GENERIC_ENFORCES_HARDWARE: documented(z.enum(['true', 'false']).optional(), {
    description:
      'Whether the server itself withholds keys from devices without hardware, by `{needs_hardware}`. If not, such keys are never requested.',
    defaultText: '`false`',
  }),
  DRM_GENERIC_REVOKED_CODES: text(
    'codes, separated by commas',
    'Error codes of the server that mean a revoked device.',
  ),
}

const mobileApp = {
  APP_PLAYBACK: documented(z.enum(['off', 'open', 'attested']).default('off'), {
    description:
      'Whether the mobile app plays Multi-DRM videos ([the app’s side](mobile-app.md)). `open`: a link is enough, from any program. `attested`: the app must attest itself. The domain rules do not apply to it.',
  }),
  APP_ANDROID_PACKAGE: text(
    'package name',
    'Package of the Android app, which attests by Play Integrity.',
  ),
  APP_ANDROID_CERTIFICATES: list(
    'SHA-256 digests as hex',
    'Certificates that sign the Android app (Play Console, “App signing”).',
  ),
  APP_ANDROID_INTEGRITY: documented(z.enum(['basic', 'device', 'strong']).default('device'), {
    description: 'What the device must meet by the verdict of Play Integrity.',
  }),
  APP_PLAY_DECRYPTION_KEY: secret(
    'base64 of 32 bytes',
    'Decryption key of Play Integrity (Play Console, responses that you manage yourself).',
  ),
  APP_PLAY_VERIFICATION_KEY: text('DER in base64', 'Verification key of Play Integrity.'),
  APP_IOS_ID: text(
    '`TEAMID.bundle.id`',
    'Team id and bundle id of the iOS app, which attests by App Attest.',
  ),
  APP_IOS_ENVIRONMENT: documented(z.enum(APP_ATTEST_ENVIRONMENTS).default('production'), {
    description: 'Environment of App Attest. `development` is for apps that Xcode installs.',
  }),
}

/** The variables by subject, in the order of the document. */
export const CONFIG_SECTIONS: Readonly<Record<string, Record<string, z.ZodType>>> = {
  General: general,
  'API, player and dashboard': servers,
  'Embedding and segments': player,
  PostgreSQL: record,
  Temporal: temporal,
  'Object storage': storage,
  Workers: worker,
  'How long records are kept': retention,
  'Outbound requests': egress,
  'Multi-DRM': drm,
  'Licences of Multi-DRM videos': licences,
  'The mobile app': mobileApp,
  'Stripe and the command line': integrations,
}

/** The environment variables of all processes. */
export const configSchema = z.object({
  ...general,
  ...servers,
  ...player,
  ...record,
  ...temporal,
  ...storage,
  ...worker,
  ...retention,
  ...egress,
  ...drm,
  ...integrations,
  ...licences,
  ...mobileApp,
})

/** The variables whose value a file may hold, named by `NAME_FILE`. */
export const SECRET_VARIABLES: readonly string[] = Object.entries(configSchema.shape)
  .filter(([, schema]) => variableDocs.get(schema)?.isSecret)
  .map(([variable]) => variable)
