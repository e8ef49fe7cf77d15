import { findAccount, findActivePlan } from '../../db/accounts.ts'
import { accountSchema, accountView } from '../../views/account.ts'
import { ApiError } from '../api-error.ts'
import { operation } from '../operation.ts'

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
    return accountView(account, plan)
  },
})

export const accountOperations = [get]
