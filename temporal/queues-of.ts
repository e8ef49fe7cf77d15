import type { TaskQueue } from './names.ts'

const ENCODE_QUEUES: readonly TaskQueue[] = ['encode-first', 'encode']

/** What the operator says of a worker. */
interface WorkerSettings {
  WORKER_QUEUES: readonly ('ingest' | 'download' | 'encode' | 'webhooks')[]
  DOWNLOAD_SLOTS: number
}

/**
 * The task queues of a worker. One that encodes serves both queues of encoders. One of `ingest` also downloads, unless
 * `DOWNLOAD_SLOTS` is 0. One of `webhooks` also delivers.
 */
export function queuesOf({ WORKER_QUEUES, DOWNLOAD_SLOTS }: WorkerSettings): TaskQueue[] {
  const queues = WORKER_QUEUES.flatMap((queue): readonly TaskQueue[] => {
    if (queue === 'encode') return ENCODE_QUEUES
    if (queue === 'webhooks') return ['webhooks', 'deliveries']
    return queue === 'ingest' && DOWNLOAD_SLOTS > 0 ? ['ingest', 'download'] : [queue]
  })
  return [...new Set(queues)]
}
