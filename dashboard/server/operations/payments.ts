import { pagePayments } from '../../../db/accounts/payments.ts'
import { listQuery, rowIdInQuery, toPage } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { paymentListSchema, paymentView } from '../../../views/accounts/payment.ts'
import { listView } from '../../../views/list.ts'

const list = operation({
  id: 'listPayments',
  method: 'get',
  path: '/payments',
  tag: 'Account',
  summary: 'List the payments of the account, newest first',
  description: 'The operator records them, or Stripe does.',
  scope: 'account:read',
  query: listQuery(rowIdInQuery, {}),
  status: 200,
  response: paymentListSchema,
  async handle({ deps, accountId, query }) {
    const page = await pagePayments(deps.db.em.fork(), accountId, toPage(query))
    return listView(page, paymentView, '/payments')
  },
})

export const paymentOperations = [list]
