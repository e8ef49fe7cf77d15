import type { BillingCycle } from '../domain/payment.ts'
import type { EntityManager } from './database.ts'
import { Payment } from './entities/payment.ts'
import { given } from './page.ts'

export interface NewPayment {
  accountId: number
  /** In the smallest unit of the currency: a safe integer over 0. */
  amount: number
  /** ISO 4217, lowercase. */
  currency: string
  planType: string
  billingCycle: BillingCycle
  /** What it is known by where it was paid, such as `stripe:in_1Abc`. */
  reference: string
}

/**
 * Inserts the payment; false, having written nothing, where its reference is there already or its
 * account is not. Of two that insert one reference at once, the second waits for the first to commit.
 */
export async function insertPayment(em: EntityManager, payment: NewPayment): Promise<boolean> {
  const rows = await em.execute<{ id: number }[]>(
    `insert into payment (account_id, amount, currency, plan_type, billing_cycle, reference)
     select id, ?::bigint, ?, ?, ?, ? from account where id = ?
     on conflict (reference) do nothing returning id`,
    [
      payment.amount,
      payment.currency,
      payment.planType,
      payment.billingCycle,
      payment.reference,
      payment.accountId,
    ],
  )
  return rows.length > 0
}

/** The payment of that reference, or null. */
export const findPayment = (em: EntityManager, reference: string): Promise<Payment | null> =>
  em.findOne(Payment, { reference })

/** Payments, newest first: of one account, or of all. */
export const listPayments = (
  em: EntityManager,
  { accountId, limit }: { accountId?: number | undefined; limit: number },
): Promise<Payment[]> => em.find(Payment, given({ accountId }), { orderBy: { id: 'desc' }, limit })
