export { deleteVideo } from './delete-video.ts'
export { deliverWebhook } from './deliver-webhook.ts'
export { ingestVideo } from './ingest-video.ts'
export { sweepOutbox } from './sweep-outbox.ts'
