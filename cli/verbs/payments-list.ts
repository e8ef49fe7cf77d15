import { listPayments } from '../../db/payments.ts'
import { accountFilter, limitOption } from '../arguments.ts'
import { humaneTime, table } from '../output.ts'
import type { RegisterVerb } from '../verb.ts'
import { paymentView } from '../../views/payment.ts'

/** `payments list`: the newest first, of all accounts or of one. */
export const paymentsList: RegisterVerb = (noun, run) => {
  noun
    .command('list')
    .description('list payments, newest first')
    .addOption(accountFilter())
    .addOption(limitOption())
    .action(
      run<{ account?: number; limit: number }>(async (context, { account, limit }) => {
        const em = await context.entityManager()
        const records = (await listPayments(em, { accountId: account, limit })).map(paymentView)
        const rows = records.map((payment) => [
          String(payment.id),
          String(payment.account_id),
          `${payment.amount} ${payment.currency}`,
          payment.plan_type,
          payment.billing_cycle,
          humaneTime(payment.created_at),
          payment.reference,
        ])
        const headings = ['ID', 'ACCOUNT', 'AMOUNT', 'PLAN TYPE', 'CYCLE', 'RECORDED', 'REFERENCE']
        context.out.print(records, table(headings, rows, 'There are no payments.'))
      }),
    )
}
