import { z } from 'zod'

/** Body of POST /v1/webhook-endpoints. Which events there are has a code of its own. */
export const createWebhookEndpointBody = z.strictObject({
  url: z.string(),
  events: z.array(z.string()).min(1).max(100),
})
