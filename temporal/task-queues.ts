/** Task queues by kind of load, so that each scales on its own (design, section 8). */
export const TASK_QUEUES = { ingest: 'ingest', encode: 'encode', webhooks: 'webhooks' } as const
