import { z } from 'zod'
import { previewReplay } from '../../../commands/webhooks/replays.ts'
import { rowIdInQuery } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { instant } from '../../../http/text.ts'
import { rowId } from '../../../views/values.ts'
import {
  replayPreviewSchema,
  replayPreviewView,
  replayStatus,
} from '../../../views/webhooks/webhook-replay.ts'

/** The addresses that code samples contain. */
const addressesSchema = z
  .strictObject({
    object: z.literal('addresses'),
    account_id: rowId,
    api_url: z.string().meta({ description: 'Where programs reach the API, without `/v1`.' }),
    embed_url: z.string().meta({ description: 'Where viewers reach the player.' }),
  })
  .meta({ id: 'Addresses' })

const addresses = operation({
  id: 'getAddresses',
  method: 'get',
  path: '/addresses',
  tag: 'Account',
  summary: 'Get the addresses of the API and the player, for code samples',
  scope: 'account:read',
  status: 200,
  response: addressesSchema,
  handle: async ({ deps, accountId }) => ({
    object: 'addresses' as const,
    account_id: accountId,
    api_url: deps.apiBase,
    embed_url: deps.embedBase,
  }),
})

/** The body of POST /v1/webhook-replays as a query. */
const previewQuery = z.strictObject({
  since: instant('Events at or after this time; at most 90 days ago.'),
  until: instant('Events before this time. Defaults to now.').optional(),
  endpoint_id: rowIdInQuery.optional().meta({ description: 'Every active endpoint by default.' }),
  status: replayStatus.optional().meta({ default: 'failed' }),
})

const preview = operation({
  id: 'previewWebhookReplay',
  method: 'get',
  path: '/webhook-replay-preview',
  tag: 'Webhooks',
  summary: 'Count what a webhook replay would send',
  description: 'A replay of the range in the response sends what was counted, unless more happens.',
  scope: 'webhooks:write',
  query: previewQuery,
  status: 200,
  response: replayPreviewSchema,
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_inactive'],
  async handle({ deps, accountId, query }) {
    const { endpoint_id: endpointId, since, until, status } = query
    const request = { accountId, endpointId, since, until, status }
    return replayPreviewView(await previewReplay(deps.db.em.fork(), request))
  },
})

export const developerOperations = [addresses, preview]
