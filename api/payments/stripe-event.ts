import Stripe from 'stripe'
import { z } from 'zod'
import { ApiError } from '../../http/api-error.ts'

/** A signed event; its object is not parsed yet. */
export interface StripeEvent {
  /** Such as `invoice.paid`. */
  type: string
  object: unknown
}

const envelope = z.object({ type: z.string(), data: z.object({ object: z.unknown() }) })

/**
 * Checks the `Stripe-Signature` over the exact bytes, at most 300 s old, and parses the event. Throws
 * `invalid_payment` if no signature matches or the body is not an event. The errors of Stripe's library contain the
 * body and the signature, so they are dropped.
 */
export function readStripeEvent(body: Buffer, signature: string, secret: string): StripeEvent {
  const parsed = envelope.safeParse(constructEvent(body, signature, secret))
  if (!parsed.success) throw new ApiError('invalid_payment')
  return { type: parsed.data.type, object: parsed.data.data.object }
}

function constructEvent(body: Buffer, signature: string, secret: string): unknown {
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret)
  } catch {
    throw new ApiError('invalid_payment')
  }
}
