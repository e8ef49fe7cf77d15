import type { Operation } from '../http/operation.ts'
import { accountOperations } from './account/operations.ts'
import { audienceOperations } from './audience/operations.ts'
import { viewerOperations } from './audience/viewer-operations.ts'
import { captionOperations } from './captions/operations.ts'
import { chapterOperations } from './chapters/operations.ts'
import { eventOperations } from './events/operations.ts'
import { folderOperations } from './folders/operations.ts'
import { importOperations } from './imports/operations.ts'
import { momentOperations } from './moments/operations.ts'
import { playbackReportOperations } from './playback-reports/operations.ts'
import { playbackTokenOperations } from './playback-tokens/operations.ts'
import { posterUploadOperations } from './posters/operations.ts'
import { searchOperations } from './search/operations.ts'
import { uploadOperations } from './uploads/operations.ts'
import { videoOperations } from './videos/operations.ts'
import { webhookDeliveryOperations } from './webhook-deliveries/operations.ts'
import { webhookEndpointOperations } from './webhook-endpoints/operations.ts'
import { webhookReplayOperations } from './webhook-replays/operations.ts'

/** All operations of /v1, in the order of the documentation. */
export const OPERATIONS: readonly Operation[] = [
  ...videoOperations,
  ...uploadOperations,
  ...importOperations,
  ...playbackTokenOperations,
  ...captionOperations,
  ...searchOperations,
  ...chapterOperations,
  ...momentOperations,
  ...posterUploadOperations,
  ...folderOperations,
  ...webhookEndpointOperations,
  ...webhookDeliveryOperations,
  ...webhookReplayOperations,
  ...eventOperations,
  ...audienceOperations,
  ...viewerOperations,
  ...accountOperations,
  ...playbackReportOperations,
]
