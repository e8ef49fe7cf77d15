import { z } from 'zod'
import { ENCODE_MODES } from '../../domain/ingest/encode-mode.ts'
import { documented, integer, list, secret, text } from '../variable.ts'

const queues = z.array(z.enum(['ingest', 'download', 'encode', 'webhooks'])).min(1)

export const worker = {
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

export const egress = {
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

export const integrations = {
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
    'API key that `reelgate listen`, `reelgate videos upload` and `reelgate import` use unless `--key-file` or `--key` is given.',
  ),
  REELGATE_WEBHOOK_SECRET: secret(
    '`whsec_…`',
    'Signing secret that `reelgate verify-receiver` and `reelgate listen` use unless `--secret-file` or `--secret` is given.',
  ),
}
