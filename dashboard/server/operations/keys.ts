import { z } from 'zod'
import { createKey, revokeKey } from '../../../commands/accounts/api-keys.ts'
import { findAccountKey, findApiKey, listAccountKeys } from '../../../db/accounts/api-keys.ts'
import type { EntityManager } from '../../../db/database.ts'
import { SCOPES } from '../../../domain/accounts/scopes.ts'
import { API_KEY_NAME_MAX_LENGTH } from '../../../domain/limits.ts'
import { orNotFound } from '../../../http/api-error.ts'
import { keyIdInQuery, keyIdParameter, listQuery, toPage } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { text } from '../../../http/text.ts'
import { hashApiKey } from '../../../security/api-key.ts'
import { apiKeyView } from '../../../views/accounts/account.ts'
import {
  apiKeyListSchema,
  createdApiKeySchema,
  createdApiKeyView,
  listedApiKeyView,
  revokedApiKeySchema,
} from '../../../views/accounts/api-key.ts'
import { listView } from '../../../views/list.ts'

const tag = 'API keys'
const KEY_FIELDS = ['name', 'hint', 'scopes']

const list = operation({
  id: 'listKeys',
  method: 'get',
  path: '/keys',
  tag,
  summary: 'List API keys, newest first, the revoked ones included',
  scope: 'keys:read',
  query: listQuery(keyIdInQuery, {}),
  status: 200,
  response: apiKeyListSchema,
  async handle({ deps, accountId, query }) {
    const page = await listAccountKeys(deps.db.em.fork(), accountId, toPage(query))
    return listView(page, listedApiKeyView, '/keys')
  },
})

const createKeyBody = z.strictObject({
  name: text({
    maxLength: API_KEY_NAME_MAX_LENGTH,
    description: 'For the list of keys and the audit log.',
    example: 'Website',
  }),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .overwrite((scopes) => [...new Set(scopes)])
    .meta({ example: ['videos:read', 'playback:sign'] }),
})

const create = operation({
  id: 'createKey',
  method: 'post',
  path: '/keys',
  tag,
  summary: 'Create an API key',
  description: 'Only this response contains the key.',
  scope: 'keys:write',
  isElevated: true,
  body: createKeyBody,
  status: 201,
  response: createdApiKeySchema,
  errors: ['too_many_api_keys'],
  audit: { action: 'api_key.create', fields: KEY_FIELDS },
  handle({ accountId, body: { name, scopes }, commit }) {
    return commit(async (tx) => {
      const key = await createKey(tx, { accountId, name, scopes })
      const stored = orNotFound(await findApiKey(tx, hashApiKey(key)), 'api_key_not_found')
      return createdApiKeyView(stored, key)
    })
  },
})

/** Reads a key for the audit log. */
async function readKey(tx: EntityManager, accountId: number, { id }: { id: number }) {
  const key = await findAccountKey(tx, accountId, id)
  return key && apiKeyView(key)
}

const revoke = operation({
  id: 'revokeKey',
  method: 'delete',
  path: '/keys/{id}',
  tag,
  summary: 'Revoke an API key',
  description:
    'Requests with it are refused immediately. A key that is revoked already stays as it is.',
  scope: 'keys:write',
  isElevated: true,
  params: { id: keyIdParameter('api_key_not_found') },
  status: 200,
  response: revokedApiKeySchema,
  audit: { action: 'api_key.revoke', fields: KEY_FIELDS, before: readKey },
  handle({ accountId, params: { id }, commit }) {
    return commit(async (tx) =>
      apiKeyView(orNotFound(await revokeKey(tx, id, accountId), 'api_key_not_found')),
    )
  },
})

export const keyOperations = [list, create, revoke]
