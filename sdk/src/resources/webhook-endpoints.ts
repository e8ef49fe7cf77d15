import { answerOf, initOf } from '../http.ts'
import type { CreateOptions, Http } from '../http.ts'
import type { Body, CreatedWebhookEndpoint } from '../types.ts'

/** The calls on webhook endpoints; each throws ReelgateError. */
export function webhookEndpointsOf(http: Http) {
  return {
    /** Registers a URL; the answer is the only one that has its `secret`. */
    create: (
      body: Body<'createWebhookEndpoint'>,
      options: CreateOptions = {},
    ): Promise<CreatedWebhookEndpoint> =>
      answerOf<'createWebhookEndpoint'>(
        http.POST('/v1/webhook-endpoints', { body, ...initOf(options) }),
      ),
  }
}
