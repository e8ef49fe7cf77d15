import { Router, type Request, type Response } from 'express'
import { recordPayment } from '../../commands/payments/record-payment.ts'
import { forkForRequest } from '../../db/database.ts'
import { STRIPE_BODY_MAX_BYTES } from '../../domain/limits.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { fileBody } from '../../http/middleware/file-body.ts'
import { allowOnly } from '../../http/middleware/http-rules.ts'
import { networkOwnersOf } from '../../processes/bodies/network-owners.ts'
import { getRequestId } from '../../processes/request-log.ts'
import { readPaidInvoice } from './read-paid-invoice.ts'
import { readStripeEvent } from './stripe-event.ts'

type Deps = Pick<ApiDeps, 'db' | 'bodies' | 'logger' | 'stripeWebhookSecret'>

/**
 * `POST /stripe/webhook`, authenticated by Stripe's signature. A paid invoice becomes one payment, however often
 * Stripe sends it. Without a secret the route does not exist.
 */
export function paymentsRouter({ db, bodies, logger, stripeWebhookSecret: secret }: Deps): Router {
  const router = Router({ caseSensitive: true, strict: true })
  if (secret === null) return router
  const receive = async (request: Request, response: Response): Promise<void> => {
    const { type, object } = readStripeEvent(
      request.body,
      request.get('Stripe-Signature') ?? '',
      secret,
    )
    if (type === 'invoice.paid') await settle({ db, logger }, object, getRequestId(response))
    response.json({ received: true })
  }
  // The signature covers the bytes as they were sent, so they are not decompressed or parsed before its check.
  const rawBody = fileBody({ bodies, ownersOf: networkOwnersOf }, STRIPE_BODY_MAX_BYTES)
  router.route('/stripe/webhook').post(rawBody, receive).all(allowOnly('POST'))
  return router
}

/**
 * Records the payment of a paid invoice. An invoice that cannot become a payment gets a success response too,
 * because Stripe would repeat it for days without effect; the log names it for the operator.
 */
async function settle(
  { db, logger }: Pick<Deps, 'db' | 'logger'>,
  object: unknown,
  requestId: string,
): Promise<void> {
  const skip = (reference: string, reason: string) =>
    logger.warn({ reference, reason, requestId }, 'a paid invoice was not recorded as a payment')
  const invoice = readPaidInvoice(object)
  if ('unusable' in invoice) {
    if (invoice.unusable !== 'nothing_paid') skip(invoice.reference, invoice.unusable)
    return
  }
  const { outcome } = await recordPayment(forkForRequest(db, requestId), invoice.payment)
  if (outcome === 'unknown_account') skip(invoice.payment.reference, outcome)
}
