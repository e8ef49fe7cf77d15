import { invalidArgument } from './error.ts'
import { createHttp } from './http.ts'
import { accountOf, planOf, securityEventsOf, settingsOf, usageOf } from './resources/account.ts'
import { audienceOf } from './resources/audience.ts'
import { captionsOf } from './resources/captions.ts'
import { chaptersOf } from './resources/chapters.ts'
import { eventsOf, eventTypesOf } from './resources/events.ts'
import { foldersOf } from './resources/folders.ts'
import { importsOf } from './resources/imports.ts'
import { momentsOf } from './resources/moments.ts'
import { playbackReportsOf } from './resources/playback-reports.ts'
import { playbackTokensOf } from './resources/playback-tokens.ts'
import { postersOf } from './resources/posters.ts'
import { searchOf } from './resources/search.ts'
import { uploadsOf } from './resources/uploads.ts'
import { videosOf } from './resources/videos.ts'
import { viewerProgressOf, viewersOf } from './resources/viewers.ts'
import { webhookDeliveriesOf } from './resources/webhook-deliveries.ts'
import { webhookEndpointsOf } from './resources/webhook-endpoints.ts'
import { webhookReplaysOf } from './resources/webhook-replays.ts'
import type { TransportOptions } from './transport.ts'
import { createAndSendOf } from './upload/create-and-send.ts'
import { fetchTransport } from './upload/transport.ts'
import { verifyWebhook } from './webhooks.ts'

const RETRIES_MAX = 10
// The longest delay of a timer.
const TIMEOUT_MAX_MS = 2 ** 31 - 1

export interface ReelgateOptions {
  /** An API key with the scopes that the calls need. */
  apiKey: string
  /** The address of the API, without `/v1`. */
  baseUrl: string | URL
  /** Retries after the first attempt, 0 to 10; 3 by default. */
  maxRetries?: number | undefined
  /** Limit for one attempt; 30,000 by default. */
  timeoutMs?: number | undefined
  /** Limit for all attempts of a call and the delays between them; 120,000 by default. */
  totalTimeoutMs?: number | undefined
  /** Replaces the runtime's fetch. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** The client of a Reelgate service. Throws ReelgateError invalid_parameter for invalid options. */
export class Reelgate {
  readonly videos: ReturnType<typeof videosOf>
  readonly imports: ReturnType<typeof importsOf>
  readonly uploads: ReturnType<typeof uploadsOf>
  readonly uploadFile: ReturnType<typeof createAndSendOf>
  readonly captions: ReturnType<typeof captionsOf>
  readonly search: ReturnType<typeof searchOf>
  readonly chapters: ReturnType<typeof chaptersOf>
  readonly moments: ReturnType<typeof momentsOf>
  readonly posters: ReturnType<typeof postersOf>
  readonly folders: ReturnType<typeof foldersOf>
  readonly playbackTokens: ReturnType<typeof playbackTokensOf>
  readonly webhookEndpoints: ReturnType<typeof webhookEndpointsOf>
  readonly webhookDeliveries: ReturnType<typeof webhookDeliveriesOf>
  readonly webhookReplays: ReturnType<typeof webhookReplaysOf>
  readonly events: ReturnType<typeof eventsOf>
  readonly eventTypes: ReturnType<typeof eventTypesOf>
  readonly account: ReturnType<typeof accountOf>
  readonly plan: ReturnType<typeof planOf>
  readonly usage: ReturnType<typeof usageOf>
  readonly settings: ReturnType<typeof settingsOf>
  readonly audience: ReturnType<typeof audienceOf>
  readonly viewers: ReturnType<typeof viewersOf>
  readonly viewerProgress: ReturnType<typeof viewerProgressOf>
  readonly playbackReports: ReturnType<typeof playbackReportsOf>
  readonly securityEvents: ReturnType<typeof securityEventsOf>
  /** For receivers; also exported as verifyWebhook, which needs no API key. */
  readonly webhooks = { verify: verifyWebhook }

  constructor(options: ReelgateOptions) {
    const { apiKey } = options
    if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
      throw invalidArgument('apiKey', 'must be the key as it was shown')
    const baseUrl = baseUrlOf(options.baseUrl)
    const transport = transportOptions(options)
    const http = createHttp({ ...transport, apiKey, baseUrl })
    this.videos = videosOf(http)
    this.imports = importsOf(http)
    this.uploads = uploadsOf(http)
    this.uploadFile = createAndSendOf(this.uploads, fetchTransport(transport.fetch))
    this.captions = captionsOf(http)
    this.search = searchOf(http)
    this.chapters = chaptersOf(http)
    this.moments = momentsOf(http)
    this.posters = postersOf(http)
    this.folders = foldersOf(http)
    this.playbackTokens = playbackTokensOf(http)
    this.webhookEndpoints = webhookEndpointsOf(http)
    this.webhookDeliveries = webhookDeliveriesOf(http)
    this.webhookReplays = webhookReplaysOf(http)
    this.events = eventsOf(http, transport.timeoutMs)
    this.eventTypes = eventTypesOf(http)
    this.account = accountOf(http)
    this.plan = planOf(http)
    this.usage = usageOf(http)
    this.settings = settingsOf(http)
    this.audience = audienceOf(http)
    this.viewers = viewersOf(http)
    this.viewerProgress = viewerProgressOf(http)
    this.playbackReports = playbackReportsOf(http)
    this.securityEvents = securityEventsOf(http)
  }
}

function transportOptions(options: ReelgateOptions): TransportOptions {
  const { maxRetries = 3, timeoutMs = 30_000, totalTimeoutMs = 120_000 } = options
  if (!Number.isInteger(maxRetries) || maxRetries < 0 || maxRetries > RETRIES_MAX)
    throw invalidArgument('maxRetries', `must be 0 to ${RETRIES_MAX}`)
  for (const [name, ms] of Object.entries({ timeoutMs, totalTimeoutMs }))
    if (!(ms > 0 && ms <= TIMEOUT_MAX_MS))
      throw invalidArgument(name, `must be more than 0 and at most ${TIMEOUT_MAX_MS}`)
  // Looked up in each call, because tracing replaces the global. Edge runtimes require the plain
  // call.
  const { fetch = (request) => globalThis.fetch(request) } = options
  return { maxRetries, timeoutMs, totalTimeoutMs, fetch }
}

function baseUrlOf(baseUrl: string | URL): string {
  const url = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash)
    throw invalidArgument('baseUrl', 'must be an http or https address without a query')
  const address = url.href.replace(/\/+$/, '')
  if (address.endsWith('/v1')) throw invalidArgument('baseUrl', 'must be the address without /v1')
  return address
}
