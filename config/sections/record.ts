import { z } from 'zod'
import { USAGE_DAYS_MAX } from '../../domain/limits.ts'
import { DEFAULT_RETENTION } from '../../domain/retention.ts'
import { baseUrl, documented, hostAndPort, integer, name, port, secret, text } from '../variable.ts'

export const record = {
  DATABASE_URL: documented(z.url({ protocol: /^postgres(ql)?$/ }).optional(), {
    values: '`postgres://` address',
    description:
      'Connection string of PostgreSQL. Unset: `npm start` runs an embedded one; other processes require the variable.',
    isSecret: true,
  }),
  DATABASE_DIRECT_URL: documented(z.url({ protocol: /^postgres(ql)?$/ }).optional(), {
    values: '`postgres://` address',
    description:
      'Connection string of PostgreSQL itself if `DATABASE_URL` names a pooler in transaction mode, such as PgBouncer: for migrations, backups and the relay.',
    defaultText: '`DATABASE_URL`',
    isSecret: true,
  }),
  DATABASE_PASSWORD: secret(
    'text',
    'Password for `DATABASE_URL` and `DATABASE_DIRECT_URL`, for those that have none.',
  ),
  DATABASE_POOLER_STATEMENTS: documented(z.enum(['unnamed', 'named']).default('unnamed'), {
    description:
      'How statements pass the pooler. `named` costs less, and needs one that keeps them: PgBouncer from 1.21 with `max_prepared_statements`.',
  }),
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

export const temporal = {
  TEMPORAL_ADDRESS: documented(hostAndPort(), {
    values: '`host:port`',
    description: 'Address of Temporal. Unset: `npm start` runs an embedded one.',
    defaultText: '`127.0.0.1:TEMPORAL_PORT`',
  }),
  TEMPORAL_NAMESPACE: name('default', 'Namespace of the workflows.'),
  TEMPORAL_DELIVERIES_NAMESPACE: text(
    'name',
    'Namespace of the workflows of webhook deliveries, with a retention of its own; may be that of the others.',
    '`TEMPORAL_NAMESPACE` with `-deliveries`',
  ),
  TEMPORAL_PORT: port(7233, 'Port of the embedded Temporal server.'),
  TEMPORAL_UI_PORT: port(8233, 'Port of the Web UI of the embedded Temporal server.'),
  TEMPORAL_UI_BASE_URL: baseUrl(
    'Where operators reach the Web UI of Temporal. The dashboard links to it, only for them. Unset beside `TEMPORAL_ADDRESS`: no link.',
    '`http://127.0.0.1:TEMPORAL_UI_PORT`',
  ),
}

export const storage = {
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

/** The longest retention: 100 years. */
const KEPT_DAYS_MAX = 36_500

const keptDays = (fallback: number, minimum: number, description: string) =>
  integer(fallback, [minimum, KEPT_DAYS_MAX], description, 'days')

export const retention = {
  PLAYBACK_SESSIONS_KEPT_DAYS: keptDays(
    DEFAULT_RETENTION.playbackSessionDays,
    2,
    'How long playback sessions are kept after they began, with viewer ids and browsers.',
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
  AUDIENCE_KEPT_DAYS: keptDays(
    DEFAULT_RETENTION.audienceDays,
    32,
    'How long the audience of each day is kept: plays, watched time and the like, without anything of a single viewer.',
  ),
  VIEWERS_KEPT_DAYS: keptDays(
    DEFAULT_RETENTION.viewerDays,
    1,
    'How long what a viewer has watched is kept after the viewer was last seen, with the position at which the viewer continues.',
  ),
  DELETED_VIDEOS_KEPT_DAYS: keptDays(
    DEFAULT_RETENTION.deletedVideoDays,
    1,
    'How long the row of a deleted video is kept, with its title; at least as long as one of its playback sessions.',
  ),
}
