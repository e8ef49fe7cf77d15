import { z } from 'zod'
import type { Account, Plan } from '../db/entities/account.ts'
import { isoUtc } from '../domain/timestamps.ts'
import { protection } from './plan.ts'
import { rowId, timestamp } from './values.ts'

/** The account object (contract, "Other records"). */
export const accountSchema = z
  .strictObject({
    id: rowId.meta({ description: 'Account id; every embed URL contains it in base64.' }),
    object: z.literal('account'),
    name: z.string(),
    plan: z
      .strictObject({ protection })
      .nullable()
      .meta({ description: 'The active plan, or null; GET /v1/plan returns all of it.' }),
    created_at: timestamp('When the account was created.'),
  })
  .meta({ id: 'Account' })

/** The account object; `plan` is the active plan, or null. */
export const accountView = (
  account: Account,
  plan: Plan | null,
): z.output<typeof accountSchema> => ({
  id: account.id,
  object: 'account',
  name: account.name,
  plan: plan && { protection: plan.protection },
  created_at: isoUtc(account.createdAt),
})
