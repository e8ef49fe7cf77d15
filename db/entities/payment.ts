import { defineEntity, p } from '@mikro-orm/core'
import type { BillingCycle } from '../../domain/payment.ts'

export const PaymentSchema = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  properties: {
    id: p.integer().primary().autoincrement(),
    accountId: p.integer(),
    /** In the smallest unit of the currency. */
    amount: p.bigint('number'),
    /** ISO 4217, lowercase. */
    currency: p.text(),
    planType: p.text(),
    billingCycle: p.text().$type<BillingCycle>(),
    /** Identifies the payment at its source, such as `stripe:in_1Abc`; unique. */
    reference: p.text().unique(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
})

export class Payment extends PaymentSchema.class {}
PaymentSchema.setClass(Payment)
