import { findAccount, findActivePlan } from '../../db/accounts.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { ApiError } from '../api-error.ts'
import { operation } from '../operation.ts'
import { accountSchema } from './schemas.ts'

const get = operation({
  id: 'getAccount',
  method: 'get',
  path: '/v1/account',
  tag: 'Account',
  summary: 'Get the account that the API key belongs to',
  scope: 'account:read',
  status: 200,
  answer: accountSchema,
  async handle({ deps, accountId }) {
    const em = deps.db.em.fork()
    const account = await findAccount(em, accountId)
    if (!account) throw new ApiError('invalid_api_key')
    const plan = await findActivePlan(em, account.id, new Date())
    return {
      id: account.id,
      object: 'account' as const,
      name: account.name,
      plan: plan && { protection: plan.protection },
      created_at: isoUtc(account.createdAt),
    }
  },
})

export const accountOperations = [get]
