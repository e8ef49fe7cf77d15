import { z } from 'zod'
import type { ApiKey } from '../db/entities/account.ts'
import { SCOPES } from '../domain/scopes.ts'
import { isoUtc } from '../domain/timestamps.ts'
import { isoUtcOrNull, rowId, timestamp } from './values.ts'

/** An API key without the key, of which only the hash is stored. */
export const apiKeySchema = z.strictObject({
  id: rowId,
  object: z.literal('api_key'),
  account_id: rowId,
  name: z.string(),
  hint: z.string().meta({ description: 'The first characters of the key.' }),
  scopes: z.array(z.enum(SCOPES)),
  created_at: timestamp('When the key was created.'),
  revoked_at: timestamp('When the key was revoked.').nullable(),
})

/** An API key without the key, of which only the hash is stored. */
export const apiKeyView = (key: ApiKey): z.output<typeof apiKeySchema> => ({
  id: key.id,
  object: 'api_key',
  account_id: key.accountId,
  name: key.name,
  hint: key.hint,
  scopes: key.scopes,
  created_at: isoUtc(key.createdAt),
  revoked_at: isoUtcOrNull(key.revokedAt),
})
