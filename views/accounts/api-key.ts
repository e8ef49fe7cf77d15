import { z } from 'zod'
import type { UsedApiKey } from '../../db/accounts/api-keys.ts'
import type { ApiKey } from '../../db/entities/account.ts'
import { listSchema } from '../list.ts'
import { isoUtcOrNull, timestamp } from '../values.ts'
import { apiKeySchema, apiKeyView } from './account.ts'

/** An API key with its last use, without the key itself. */
const listedApiKeySchema = apiKeySchema
  .extend({
    last_used_at: timestamp(
      'The last request, to the minute; null if none is known. A crash of the database forgets it.',
    ).nullable(),
  })
  .meta({ id: 'ApiKey' })

export const apiKeyListSchema = listSchema(listedApiKeySchema).meta({ id: 'ApiKeyList' })

/** An API key with its last use. */
export const listedApiKeyView = ({
  key,
  lastUsedAt,
}: UsedApiKey): z.output<typeof listedApiKeySchema> => ({
  ...apiKeyView(key),
  last_used_at: isoUtcOrNull(lastUsedAt),
})

/** A new API key: the only response that contains the key. */
export const createdApiKeySchema = apiKeySchema
  .extend({ key: z.string().meta({ description: 'The key, shown only once.' }) })
  .meta({ id: 'CreatedApiKey' })

/** A new API key with its text. */
export const createdApiKeyView = (
  stored: ApiKey,
  key: string,
): z.output<typeof createdApiKeySchema> => ({ ...apiKeyView(stored), key })

/** A revoked API key. */
export const revokedApiKeySchema = apiKeySchema.meta({ id: 'RevokedApiKey' })
