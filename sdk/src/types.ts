// Short names for the types of the OpenAPI document; schema.ts is generated from it.
import type { components, KnownErrorCode, operations } from './schema.ts'

type Schemas = components['schemas']

export type Video = Schemas['Video']
export type VideoList = Schemas['VideoList']
export type DeletedVideo = Schemas['DeletedVideo']
export type VideoStatus = Schemas['VideoStatus']
export type VideoEmbed = Schemas['VideoEmbed']
export type PlaybackToken = Schemas['PlaybackToken']
export type Caption = Schemas['Caption']
export type CaptionList = Schemas['CaptionList']
export type CaptionWithContent = Schemas['CaptionWithContent']
export type DeletedCaption = Schemas['DeletedCaption']
export type SearchResult = Schemas['SearchResult']
export type SearchResultList = Schemas['SearchResultList']
export type ChapterList = Schemas['ChapterList']
export type Chapter = Schemas['Chapter']
export type DeletedChapter = Schemas['DeletedChapter']
export type Moment = Schemas['Moment']
export type MomentList = Schemas['MomentList']
export type DeletedMoment = Schemas['DeletedMoment']
export type PosterUpload = Schemas['PosterUpload']
export type Folder = Schemas['Folder']
export type FolderList = Schemas['FolderList']
export type DeletedFolder = Schemas['DeletedFolder']
export type Import = Schemas['Import']
export type ImportList = Schemas['ImportList']
export type ImportLine = Schemas['ImportLine']
export type ImportLineList = Schemas['ImportLineList']
export type Upload = Schemas['Upload']
export type UploadList = Schemas['UploadList']
export type WebhookEndpoint = Schemas['WebhookEndpoint']
export type WebhookEndpointList = Schemas['WebhookEndpointList']
export type CreatedWebhookEndpoint = Schemas['CreatedWebhookEndpoint']
export type DeletedWebhookEndpoint = Schemas['DeletedWebhookEndpoint']
export type WebhookDeliveryList = Schemas['WebhookDeliveryList']
export type WebhookDelivery = Schemas['WebhookDelivery']
export type WebhookAttempt = Schemas['WebhookAttempt']
export type WebhookReplay = Schemas['WebhookReplay']
export type WebhookReplayList = Schemas['WebhookReplayList']
export type EventList = Schemas['EventList']
export type EventType = Schemas['EventType']
export type EventTypeList = Schemas['EventTypeList']
export type Account = Schemas['Account']
export type Plan = Schemas['Plan']
export type Usage = Schemas['Usage']
export type PlayerSettings = Schemas['PlayerSettings']
export type SecurityEventList = Schemas['SecurityEventList']
export type Audience = Schemas['Audience']
export type AudienceVideoList = Schemas['AudienceVideoList']
export type AudienceValueList = Schemas['AudienceValueList']
export type Retention = Schemas['Retention']
export type Viewer = Schemas['Viewer']
export type ViewerList = Schemas['ViewerList']
export type ViewerErasure = Schemas['ViewerErasure']
export type ViewerProgress = Schemas['ViewerProgress']
export type ViewerProgressList = Schemas['ViewerProgressList']
export type PlaybackReport = Schemas['PlaybackReport']
export type SecurityEvent = Schemas['SecurityEvent']

/** The JSON body of a request to an operation. */
export type Body<O extends keyof operations> = operations[O] extends {
  requestBody?: { content: { 'application/json': infer B } }
}
  ? B
  : never

type JsonOf<A> = A extends { content: { 'application/json': infer J } } ? J : never

/** The JSON body of an operation's successful response. */
export type Answer<O extends keyof operations> = {
  [S in keyof operations[O]['responses'] & (200 | 201 | 202)]: JsonOf<operations[O]['responses'][S]>
}[keyof operations[O]['responses'] & (200 | 201 | 202)]

/** The query parameters of an operation. */
export type Query<O extends keyof operations> = NonNullable<operations[O]['parameters']['query']>

/** The query parameters of a list without its cursors, the same for all pages. */
export type Filters<O extends keyof operations> = Omit<Query<O>, 'starting_after' | 'ending_before'>

/** The event of a delivery: a union, discriminated by `type`. */
export type WebhookEvent = Schemas['Event']

/** Each event type with its envelope. */
export type WebhookEvents = { [E in WebhookEvent as E['type']]: E }

/** The error codes of the API that are known, and those of a newer server. */
export type ErrorCode = KnownErrorCode | (string & {})
