import {
  AccountSchema,
  ApiKeyRateSchema,
  ApiKeySchema,
  IdempotencyRecordSchema,
  PlanSchema,
  RevokedViewerSchema,
  UsageDaySchema,
  PaymentSchema,
} from './entities/account.ts'
import { CaptionSchema, ChapterSchema, MomentSchema } from './entities/annotation.ts'
import {
  EventSchema,
  OutboxSchema,
  PlaybackSessionSchema,
  SecurityEventSchema,
  WebhookAttemptSchema,
  WebhookDeliverySchema,
  WebhookEndpointSchema,
} from './entities/event.ts'
import {
  AuditEntrySchema,
  DashboardSessionSchema,
  InvitationSchema,
  MemberSchema,
  MembershipSchema,
  PasskeySchema,
  SignInGuessSchema,
} from './entities/member.ts'
import { MasterKeySchema, WorkerBeatSchema } from './entities/process.ts'
import {
  ContentKeySchema,
  FolderSchema,
  IngestProgressSchema,
  PosterUploadSchema,
  RenditionSchema,
  VideoSchema,
} from './entities/video.ts'
import { WebhookReplaySchema } from './entities/webhook-replay.ts'

/** Every table of the database. */
export const ENTITIES = [
  AccountSchema,
  PlanSchema,
  ApiKeySchema,
  ApiKeyRateSchema,
  RevokedViewerSchema,
  IdempotencyRecordSchema,
  UsageDaySchema,
  PaymentSchema,
  FolderSchema,
  VideoSchema,
  RenditionSchema,
  ContentKeySchema,
  CaptionSchema,
  ChapterSchema,
  MomentSchema,
  EventSchema,
  OutboxSchema,
  WebhookEndpointSchema,
  WebhookDeliverySchema,
  WebhookAttemptSchema,
  WebhookReplaySchema,
  SecurityEventSchema,
  PlaybackSessionSchema,
  MasterKeySchema,
  WorkerBeatSchema,
  MemberSchema,
  MembershipSchema,
  InvitationSchema,
  DashboardSessionSchema,
  PasskeySchema,
  SignInGuessSchema,
  AuditEntrySchema,
  IngestProgressSchema,
  PosterUploadSchema,
]
