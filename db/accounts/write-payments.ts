import { sql } from 'kysely'
import type { BillingCycle } from '../../domain/accounts/payment.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

export interface NewPayment {
  accountId: number
  /** In the smallest unit of the currency: a safe integer over 0. */
  amount: number
  /** ISO 4217, lowercase. */
  currency: string
  planType: string
  billingCycle: BillingCycle
  /** Identifies the payment at its source, such as `stripe:in_1Abc`. */
  reference: string
}

/**
 * Inserts a payment. Returns false, having written nothing, when there is a payment of this reference
 * already or no such account. Of two concurrent inserts of one reference, the second waits for the
 * first to commit.
 */
export async function insertPayment(em: EntityManager, payment: NewPayment): Promise<boolean> {
  const { amount, currency, planType, billingCycle, reference } = payment
  const inserted = await queries(em)
    .insertInto('payment')
    .columns(['accountId', 'amount', 'currency', 'planType', 'billingCycle', 'reference'])
    .expression((eb) =>
      eb
        .selectFrom('account')
        .select([
          'id',
          sql<number>`${amount}::bigint`.as('amount'),
          eb.val(currency).as('currency'),
          eb.val(planType).as('planType'),
          eb.val(billingCycle).as('billingCycle'),
          eb.val(reference).as('reference'),
        ])
        .where('id', '=', payment.accountId),
    )
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}
