import { findPayment } from '../../db/accounts/payments.ts'
import { insertPayment, type NewPayment } from '../../db/accounts/write-payments.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Payment } from '../../db/entities/account.ts'
import { appendEvent } from '../events.ts'

export type RecordedPayment =
  { outcome: 'recorded' | 'repeated'; payment: Payment } | { outcome: 'unknown_account' }

/**
 * Records a payment and announces it as `payment.paid` (contract, "Event types"), in one transaction and
 * once for each reference: a repeat returns the stored payment, even if it differs.
 */
export async function recordPayment(
  em: EntityManager,
  payment: NewPayment,
): Promise<RecordedPayment> {
  return em.transactional(async (tx) => {
    const isNew = await insertPayment(tx, payment)
    const stored = await findPayment(tx, payment.reference)
    if (!stored) return { outcome: 'unknown_account' }
    if (!isNew) return { outcome: 'repeated', payment: stored }
    await appendEvent(tx, {
      accountId: stored.accountId,
      type: 'payment.paid',
      data: {
        id: stored.id,
        object: 'payment',
        amount: stored.amount,
        plan_type: stored.planType,
        billing_cycle: stored.billingCycle,
      },
    })
    return { outcome: 'recorded', payment: stored }
  })
}
