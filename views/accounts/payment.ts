import { z } from 'zod'
import type { Payment } from '../../db/entities/account.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { listSchema } from '../list.ts'
import { rowId, timestamp } from '../values.ts'

/** The fields that a `payment.paid` event carries too. */
export const paymentFacts = {
  id: rowId,
  object: z.literal('payment'),
  amount: z.int().meta({ description: 'In the smallest unit of its currency.' }),
  plan_type: z.string(),
  billing_cycle: z.string(),
}

/** A payment, as an operator sees it. */
export const paymentSchema = z.strictObject({
  ...paymentFacts,
  account_id: rowId,
  currency: z.string().meta({ description: 'ISO 4217, lowercase.' }),
  reference: z
    .string()
    .meta({ description: 'Identifies the payment at its source.', example: 'stripe:in_1Abc' }),
  created_at: timestamp('When it was recorded.'),
})

/** A page of payments. */
export const paymentListSchema = listSchema(paymentSchema.meta({ id: 'RecordedPayment' })).meta({
  id: 'RecordedPaymentList',
})

/** A payment. */
export const paymentView = (payment: Payment): z.output<typeof paymentSchema> => ({
  id: payment.id,
  object: 'payment',
  account_id: payment.accountId,
  amount: payment.amount,
  currency: payment.currency,
  plan_type: payment.planType,
  billing_cycle: payment.billingCycle,
  reference: payment.reference,
  created_at: isoUtc(payment.createdAt),
})
