import { z } from 'zod'
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../domain/limits.ts'
import { ROW_ID_MAX } from '../../domain/row-id.ts'
import { text } from '../text.ts'

const id = z.coerce.number().int().min(1).max(ROW_ID_MAX)

/** Query of GET /v1/webhook-deliveries. */
export const listDeliveriesQuery = z
  .strictObject({
    status: z.enum(['pending', 'delivered', 'failed']).optional(),
    endpoint_id: id.optional(),
    event_id: text(64).optional(),
    limit: z.coerce.number().int().min(1).max(LIST_LIMIT_MAX).default(LIST_LIMIT_DEFAULT),
    starting_after: id.optional(),
    ending_before: id.optional(),
  })
  .refine((query) => query.starting_after === undefined || query.ending_before === undefined, {
    path: ['ending_before'],
    message: 'cannot be combined with starting_after',
  })
