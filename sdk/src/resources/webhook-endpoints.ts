import {
  atPath,
  deletedOf,
  toInit,
  unwrap,
  type CallOptions,
  type ChangeOptions,
  type CreateOptions,
  type Http,
} from '../http.ts'
import { everyItem, PAGE_LIMIT_MAX } from '../pagination.ts'
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

/** Calls for webhook endpoints; each throws ReelgateError. */
export function webhookEndpointsOf(http: Http) {
  const endpoints = {
    /** Registers a URL; only this response contains the `secret`. */
    create: (
      body: Body<'createWebhookEndpoint'>,
      options: CreateOptions = {},
    ): Promise<CreatedWebhookEndpoint> =>
      unwrap<'createWebhookEndpoint'>(
        http.POST('/v1/webhook-endpoints', { body, ...toInit(options) }),
      ),

    /** One page, newest first. */
    list: (
      query: Query<'listWebhookEndpoints'> = {},
      options: CallOptions = {},
    ): Promise<WebhookEndpointList> =>
      unwrap<'listWebhookEndpoints'>(
        http.GET('/v1/webhook-endpoints', { params: { query }, ...toInit(options) }),
      ),

    /** Every endpoint, newest first, page by page. */
    listAll: (
      query: Filters<'listWebhookEndpoints'> = {},
      options: CallOptions = {},
    ): AsyncGenerator<WebhookEndpoint, void, undefined> =>
      everyItem<WebhookEndpoint>((cursor) =>
        endpoints.list({ limit: PAGE_LIMIT_MAX, ...query, ...cursor }, options),
      ),

    get: (id: number, options: CallOptions = {}): Promise<WebhookEndpoint> =>
      unwrap<'getWebhookEndpoint'>(http.GET(PATH, atPath({ id }, options))),

    /** Changes, pauses (`is_active: false`) or resumes an endpoint. */
    update: (
      id: number,
      body: Body<'updateWebhookEndpoint'>,
      options: ChangeOptions = {},
    ): Promise<WebhookEndpoint> =>
      unwrap<'updateWebhookEndpoint'>(http.PATCH(PATH, { ...atPath({ id }, options), body })),

    /** Deletes an endpoint and its deliveries. */
    delete: (id: number, options: ChangeOptions = {}): Promise<DeletedWebhookEndpoint> =>
      deletedOf(unwrap<'deleteWebhookEndpoint'>(http.DELETE(PATH, atPath({ id }, options))), {
        id,
        object: 'webhook_endpoint',
        deleted: true,
      }),

    /**
     * Creates a new `secret`, which only this response contains. It replaces the old one immediately;
     * with `overlap_seconds`, the old one also signs for that time.
     */
    rotateSecret: (
      id: number,
      body: Body<'rotateWebhookSecret'> = {},
      options: CreateOptions = {},
    ): Promise<CreatedWebhookEndpoint> =>
      unwrap<'rotateWebhookSecret'>(
        http.POST('/v1/webhook-endpoints/{id}/rotate-secret', { ...atPath({ id }, options), body }),
      ),

    /** Ends the overlap of a rotation immediately. */
    expirePreviousSecrets: (id: number, options: CreateOptions = {}): Promise<WebhookEndpoint> =>
      unwrap<'expirePreviousWebhookSecrets'>(
        http.POST('/v1/webhook-endpoints/{id}/expire-previous-secrets', atPath({ id }, options)),
      ),

    /** Sends webhook.test; resolves to its delivery. */
    test: (id: number, options: CreateOptions = {}): Promise<WebhookDelivery> =>
      unwrap<'testWebhookEndpoint'>(
        http.POST('/v1/webhook-endpoints/{id}/test', atPath({ id }, options)),
      ),
  }
  return endpoints
}
