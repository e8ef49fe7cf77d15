import type { NewPayment } from '../../db/payments.ts'
import { LABEL_MAX_LENGTH } from '../../domain/limits.ts'
import {
  cycleOfInterval,
  cycleOfPeriod,
  isBillingCycle,
  isCurrency,
  isPaymentAmount,
} from '../../domain/payment.ts'
import type { BillingCycle } from '../../domain/payment.ts'
import { parseRowId } from '../../domain/row-id.ts'
import { ApiError } from '../api-error.ts'
import { text } from '../text.ts'
import { invoiceSchema } from './invoice-schema.ts'
import type { Invoice, InvoiceLine } from './invoice-schema.ts'

/** Why a paid invoice makes no payment. */
type Unusable =
  'nothing_paid' | 'account_not_named' | 'plan_type_not_named' | 'billing_cycle_not_named'

/** `reference`: `stripe:<invoice id>`. */
export type PaidInvoice = { payment: NewPayment } | { reference: string; unusable: Unusable }

/**
 * The payment that Stripe's invoice stands for. Account and plan type come from the metadata of the
 * subscription, else of the invoice (docs/operating.md). Throws `invalid_payment` where the object
 * is no invoice with an id, an amount and a currency.
 */
export function readPaidInvoice(object: unknown): PaidInvoice {
  const parsed = invoiceSchema.safeParse(object)
  if (!parsed.success) throw new ApiError('invalid_payment')
  const invoice = parsed.data
  const named = namedIn(invoice)
  const reference = `stripe:${invoice.id}`
  const unusable = (reason: Unusable) => ({ reference, unusable: reason })
  // A trial, or paid from the customer's balance: no money came.
  if (invoice.amount_paid === 0) return unusable('nothing_paid')
  if (!isPaymentAmount(invoice.amount_paid) || !isCurrency(invoice.currency))
    throw new ApiError('invalid_payment')
  const accountId = parseRowId(named('reelgate_account_id') ?? '')
  if (accountId === null) return unusable('account_not_named')
  const planType = planTypeText.safeParse(named('plan_type')).data
  if (planType === undefined) return unusable('plan_type_not_named')
  const billingCycle = cycleOf(invoice, named('billing_cycle'))
  if (billingCycle === null) return unusable('billing_cycle_not_named')
  return {
    payment: {
      accountId,
      amount: invoice.amount_paid,
      currency: invoice.currency,
      planType,
      billingCycle,
      reference,
    },
  }
}

const planTypeText = text({ maxLength: LABEL_MAX_LENGTH })

/** Looks a key up in the subscription's metadata, then in the invoice's own. */
function namedIn(invoice: Invoice): (key: string) => string | undefined {
  const places = [
    invoice.parent?.subscription_details?.metadata,
    invoice.subscription_details?.metadata,
    invoice.metadata,
  ]
  return (key) => {
    const values = places.map((metadata) => metadata?.[key])
    return values.find((value) => typeof value === 'string')
  }
}

/**
 * What the price says, where it is there; else what the operator says; else how long the period is
 * that was paid. Since 2025-03-31.basil a webhook carries the price's id alone.
 */
function cycleOf(invoice: Invoice, named: string | undefined): BillingCycle | null {
  const lines = invoice.lines?.data ?? []
  const ofPrice = lines.map(cycleOfPrice).find((cycle) => cycle !== null)
  if (ofPrice !== undefined) return ofPrice
  if (isBillingCycle(named)) return named
  return lines.map(cycleOfLine).find((cycle) => cycle !== null) ?? null
}

function cycleOfPrice({ pricing, price }: InvoiceLine): BillingCycle | null {
  const recurring = (pricing?.price_details?.price ?? price)?.recurring
  return recurring ? cycleOfInterval(recurring.interval, recurring.interval_count) : null
}

/** A free line may be a trial, and a proration covers what is left of a period: neither tells. */
function cycleOfLine({ amount, parent, period }: InvoiceLine): BillingCycle | null {
  const item = parent?.subscription_item_details
  if (!item || item.proration || amount <= 0 || !period) return null
  return cycleOfPeriod(period.end - period.start)
}
