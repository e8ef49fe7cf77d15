import { z } from 'zod'
import { parseHeaderList } from '../../domain/header-list.ts'
import {
  API_REQUESTS_PER_DAY,
  API_REQUESTS_PER_MINUTE,
  OPEN_UPLOADS_MAX,
} from '../../domain/limits.ts'
import {
  baseUrl,
  documented,
  host,
  hostAndPort,
  httpsUrl,
  integer,
  list,
  originOnly,
  port,
  text,
} from '../variable.ts'

export const general = {
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
  METRICS_ADDRESS: documented(hostAndPort(), {
    values: '`host:port`',
    description:
      'Address on which each process serves `GET /metrics` for Prometheus, and a worker also `GET /healthz` and `GET /readyz` ([metrics](metrics.md)). It needs no key, so it must not be public. `npm start` gives this port to the API and the next three to player, dashboard and worker. Unset: none.',
  }),
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

export const servers = {
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
  UPLOADS_BASE_URL: baseUrl(
    'Where browsers and scripts send the bytes of uploads: an address that leads to the API. A host name of its own lets a proxy in front accept large bodies there only.',
    '`API_BASE_URL`',
  ),
  OPEN_UPLOADS_MAX: integer(
    OPEN_UPLOADS_MAX,
    [1],
    'How many unfinished uploads an account may have. Every API and dashboard process needs the same number.',
    'uploads',
  ),
  PLAYER_HOST: host('Address that the player listens on.'),
  PLAYER_PORT: port(8081, 'Port that the player listens on.'),
  EMBED_BASE_URL: baseUrl(
    'Where viewers reach the player. Embed links begin with it.',
    '`http://PLAYER_HOST:PLAYER_PORT`',
  ),
  DASHBOARD_HOST: host('Address that the dashboard listens on.'),
  DASHBOARD_PORT: port(8082, 'Port that the dashboard listens on.'),
  DASHBOARD_BASE_URL: documented(originOnly(), {
    values: 'http or https address without a path',
    description:
      'Where members reach the dashboard. Sign-in works only at this address, so behind a proxy with TLS it is the https one; passkeys need a host name and https, or localhost.',
    defaultText: '`http://localhost:DASHBOARD_PORT`',
  }),
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

export const player = {
  SERVICE_DOMAINS: list(
    'host names',
    'Host names that may always embed, such as `a.example,*.b.example`, in addition to that of `DASHBOARD_BASE_URL`. An account can still block them.',
  ),
  DIRECT_PLAY_BASE: documented(originOnly(), {
    values: 'http or https address',
    description:
      'Where viewers reach the Direct Play pages, without a path. The player serves them; the host name must differ from that of `EMBED_BASE_URL`. Unset: Direct Play is off.',
  }),
  APP_LINK_ANDROID: httpsUrl('Where viewers get the Android app. App-Only pages link to it.'),
  MEDIA_BASE_URL: baseUrl(
    'Address of a CDN in front of the segments, whose origin is the player.',
    '`EMBED_BASE_URL`',
  ),
  MEDIA_DELIVERY: documented(z.enum(['stream', 'redirect']).default('stream'), {
    description:
      '`stream`: the player sends segments. `redirect`: it responds with presigned addresses of the S3 storage.',
  }),
  MEDIA_CMCD: documented(z.enum(['off', 'on']).default('off'), {
    description:
      '`on`: players add how playback is ([CMCD](operating/player.md#cmcd)) to their requests for segments of the CDN. Only with `MEDIA_BASE_URL`, and after the CDN leaves `CMCD` out of its cache key.',
  }),
  MEDIA_CACHE_MIB: integer(64, [1, 65_536], 'Memory for segments, per player.', 'MiB'),
}
