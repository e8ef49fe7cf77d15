import { z } from 'zod'

/** What is there in one version of Stripe's API and not in another: never a reason to refuse. */
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
 * The fields of Stripe's invoice that a payment is made of, as API version 2026-10-28.endive has
 * them, and where older versions had them (docs.stripe.com/api/invoices/object).
 */
export const invoiceSchema = z.object({
  id: z.string().regex(/^\w{1,255}$/),
  amount_paid: z.int().min(0),
  currency: z.string(),
  metadata,
  parent: optional(z.object({ subscription_details: subscriptionDetails })),
  /** Before 2025-03-31.basil. */
  subscription_details: subscriptionDetails,
  lines: optional(z.object({ data: z.array(line) })),
})

export type Invoice = z.output<typeof invoiceSchema>
export type InvoiceLine = z.output<typeof line>
