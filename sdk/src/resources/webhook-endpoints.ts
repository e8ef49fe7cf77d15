import { answerOf, initOf } from '../http.ts'
import type { CallOptions, CreateOptions, Http } from '../http.ts'
import { PAGE_LIMIT_MAX, everyItem } from '../pagination.ts'
import type {
  Body,
  CreatedWebhookEndpoint,
  DeletedWebhookEndpoint,
  Filters,
  Query,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointList,
} from '../types.ts'

const PATH = '/v1/webhook-endpoints/{id}'
const at = (id: number) => ({ params: { path: { id } } })

/** The calls on webhook endpoints; each throws ReelgateError. */
export function webhookEndpointsOf(http: Http) {
  const endpoints = {
    /** Registers a URL; the answer is the only one that has its `secret`. */
    create: (
      body: Body<'createWebhookEndpoint'>,
      options: CreateOptions = {},
    ): Promise<CreatedWebhookEndpoint> =>
      answerOf<'createWebhookEndpoint'>(
        http.POST('/v1/webhook-endpoints', { body, ...initOf(options) }),
      ),

    /** One page, newest first. */
    list: (
      query: Query<'listWebhookEndpoints'> = {},
      options: CallOptions = {},
    ): Promise<WebhookEndpointList> =>
      answerOf<'listWebhookEndpoints'>(
        http.GET('/v1/webhook-endpoints', { params: { query }, ...initOf(options) }),
      ),

    /** Every endpoint, newest first, a page at a time. */
    listAll: (
      query: Filters<'listWebhookEndpoints'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<WebhookEndpoint, void, undefined> =>
      everyItem<WebhookEndpoint>((cursor) =>
        endpoints.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),

    get: (id: number, options: CallOptions = {}): Promise<WebhookEndpoint> =>
      answerOf<'getWebhookEndpoint'>(http.GET(PATH, { ...at(id), ...initOf(options) })),

    /** Changes, pauses (`is_active: false`) or resumes it. */
    update: (
      id: number,
      body: Body<'updateWebhookEndpoint'>,
      options: CallOptions = {},
    ): Promise<WebhookEndpoint> =>
      answerOf<'updateWebhookEndpoint'>(http.PATCH(PATH, { ...at(id), body, ...initOf(options) })),

    /** Its deliveries go with it. */
    delete: (id: number, options: CallOptions = {}): Promise<DeletedWebhookEndpoint> =>
      answerOf<'deleteWebhookEndpoint'>(http.DELETE(PATH, { ...at(id), ...initOf(options) })),

    /**
     * Gives it a new `secret`, shown in this answer alone, which replaces the old one at once. With
     * `overlap_seconds` the old one signs too for that long.
     */
    rotateSecret: (
      id: number,
      body: Body<'rotateWebhookSecret'> = {},
      options: CreateOptions = {},
    ): Promise<CreatedWebhookEndpoint> =>
      answerOf<'rotateWebhookSecret'>(
        http.POST('/v1/webhook-endpoints/{id}/rotate-secret', {
          ...at(id),
          body,
          ...initOf(options),
        }),
      ),

    /** Ends the overlap of a rotation now. */
    expirePreviousSecrets: (id: number, options: CreateOptions = {}): Promise<WebhookEndpoint> =>
      answerOf<'expirePreviousWebhookSecrets'>(
        http.POST('/v1/webhook-endpoints/{id}/expire-previous-secrets', {
          ...at(id),
          ...initOf(options),
        }),
      ),

    /** Sends webhook.test; the answer is its delivery. */
    test: (id: number, options: CreateOptions = {}): Promise<WebhookDelivery> =>
      answerOf<'testWebhookEndpoint'>(
        http.POST('/v1/webhook-endpoints/{id}/test', { ...at(id), ...initOf(options) }),
      ),
  }
  return endpoints
}
