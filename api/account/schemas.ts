import { z } from 'zod'
import { rowId } from '../list.ts'
import { protection } from '../plan/schemas.ts'
import { timestamp } from '../text.ts'

/** The account object (spec, "Other records"). */
export const accountSchema = z
  .strictObject({
    id: rowId.meta({ description: 'Account id; in base64 it is a part of every embed URL.' }),
    object: z.literal('account'),
    name: z.string(),
    plan: z
      .strictObject({ protection })
      .nullable()
      .meta({ description: 'The plan in force, or null; GET /v1/plan has all of it.' }),
    created_at: timestamp('When the account was created.'),
  })
  .meta({ id: 'Account' })
