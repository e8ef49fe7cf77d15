import { z } from 'zod'
import type { NewPayment } from '../../db/accounts/write-payments.ts'
import {
  cycleOfInterval,
  cycleOfPeriod,
  isBillingCycle,
  isCurrency,
  isPaymentAmount,
  type BillingCycle,
} from '../../domain/accounts/payment.ts'
import { LABEL_MAX_LENGTH } from '../../domain/limits.ts'
import { parseIntegerId } from '../../domain/row-id.ts'
import { ApiError } from '../../http/api-error.ts'
import { text } from '../../http/text.ts'

/** A field that only some versions of Stripe's API send; any other value is ignored. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

const metadata = optional(z.record(z.string(), z.unknown()))
const subscriptionDetails = optional(z.object({ metadata }))
const price = optional(
  z.object({
    recurring: optional(z.object({ interval: z.string(), interval_count: z.int() })),
  }),
)

const line = z.object({
  amount: z.number(),
  parent: optional(
    z.object({ subscription_item_details: optional(z.object({ proration: z.boolean() })) }),
  ),
  period: optional(z.object({ start: z.int(), end: z.int() })),
  pricing: optional(z.object({ price_details: optional(z.object({ price })) })),
  /** Before 2025-03-31.basil. */
  price,
})

/**
 * The fields of Stripe's invoice that a payment needs, in API version 2026-10-28.endive and in older versions
 * (docs.stripe.com/api/invoices/object).
 */
const invoiceSchema = z.object({
  id: z.string().regex(/^\w{1,255}$/),
  amount_paid: z.int().min(0),
  currency: z.string(),
  metadata,
  parent: optional(z.object({ subscription_details: subscriptionDetails })),
  /** Before 2025-03-31.basil. */
  subscription_details: subscriptionDetails,
  lines: optional(z.object({ data: z.array(line) })),
})

type Invoice = z.output<typeof invoiceSchema>
type InvoiceLine = z.output<typeof line>

/** Why a paid invoice cannot become a payment. */
type Unusable =
  'nothing_paid' | 'account_not_named' | 'plan_type_not_named' | 'billing_cycle_not_named'

/** `reference`: `stripe:<invoice id>`. */
export type PaidInvoice = { payment: NewPayment } | { reference: string; unusable: Unusable }

/**
 * Reads the payment from a paid invoice of Stripe. Account and plan type come from the metadata of the subscription,
 * or else of the invoice (docs/operating/payments.md). Throws `invalid_payment` if the object is not an invoice with an id, an
 * amount and a currency.
 */
export function readPaidInvoice(object: unknown): PaidInvoice {
  const parsed = invoiceSchema.safeParse(object)
  if (!parsed.success) throw new ApiError('invalid_payment')
  const invoice = parsed.data
  const named = namedIn(invoice)
  const reference = `stripe:${invoice.id}`
  const unusable = (reason: Unusable) => ({ reference, unusable: reason })
  // A trial, or paid from the customer's balance: no money was received.
  if (invoice.amount_paid === 0) return unusable('nothing_paid')
  if (!isPaymentAmount(invoice.amount_paid) || !isCurrency(invoice.currency))
    throw new ApiError('invalid_payment')
  const accountId = parseIntegerId(named('reelgate_account_id') ?? '')
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

/** Looks a key up in the subscription's metadata, then in the invoice's. */
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
 * The billing cycle of the price if the invoice contains the price, else of the operator's metadata, else of the paid
 * period. Since 2025-03-31.basil a webhook contains only the price's id.
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

/** Ignores free lines, which may be trials, and prorations, which cover a part of a period. */
function cycleOfLine({ amount, parent, period }: InvoiceLine): BillingCycle | null {
  const item = parent?.subscription_item_details
  if (!item || item.proration || amount <= 0 || !period) return null
  return cycleOfPeriod(period.end - period.start)
}
