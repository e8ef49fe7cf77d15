import { findPlan } from '../../db/accounts.ts'
import { planSchema, planView } from '../../views/plan.ts'
import { ApiError } from '../api-error.ts'
import { operation } from '../operation.ts'

const get = operation({
  id: 'getPlan',
  method: 'get',
  path: '/v1/plan',
  tag: 'Account',
  summary: 'Get the plan of the account',
  scope: 'account:read',
  status: 200,
  answer: planSchema,
  errors: ['plan_not_found'],
  async handle({ deps, accountId }) {
    const plan = await findPlan(deps.db.em.fork(), accountId)
    if (!plan) throw new ApiError('plan_not_found')
    return planView(plan, new Date())
  },
})

export const planOperations = [get]
