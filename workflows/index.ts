export { deliverWebhook } from './deliver-webhook.ts'
export { ingestVideo } from './ingest-video.ts'
export { sweepOutbox } from './sweep-outbox.ts'
