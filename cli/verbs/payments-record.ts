import { Option } from 'commander'
import type { Payment } from '../../db/entities/payment.ts'
import type { NewPayment } from '../../db/payments.ts'
import { BILLING_CYCLES } from '../../domain/payment.ts'
import type { BillingCycle } from '../../domain/payment.ts'
import { recordPayment } from '../../commands/payments/record-payment.ts'
import { accountOption, parseAmount, parseCurrency, parseName } from '../arguments.ts'
import { CliError, noAccount } from '../errors.ts'
import type { RegisterVerb } from '../verb.ts'
import { paymentView } from '../../views/payment.ts'

interface Options {
  account: number
  amount: number
  currency: string
  planType: string
  billingCycle: BillingCycle
  reference?: string
}

/** `payments record`: a payment that came without Stripe; announced as payment.paid, once a reference. */
export const paymentsRecord: RegisterVerb = (noun, run) => {
  noun
    .command('record')
    .description('record a payment and send the event payment.paid')
    .addOption(accountOption())
    .requiredOption(
      '--amount <n>',
      "amount in the currency's smallest unit: 4900 for 49.00",
      parseAmount,
    )
    .requiredOption('--currency <code>', 'ISO 4217 code such as usd', parseCurrency)
    .requiredOption('--plan-type <text>', 'plan that was paid for, as text', parseName)
    .addOption(
      new Option('--billing-cycle <cycle>', 'billing interval')
        .choices(BILLING_CYCLES)
        .makeOptionMandatory(),
    )
    .option(
      '--reference <text>',
      'your reference; a payment with the same one is recorded once',
      parseName,
    )
    .action(
      run<Options>(async (context, options) => {
        const payment = newPayment(options)
        const em = await context.entityManager()
        const result = await recordPayment(em, payment)
        if (result.outcome === 'unknown_account') throw noAccount(payment.accountId)
        const isRepeat = result.outcome === 'repeated'
        if (isRepeat) requireSame(payment, result.payment)
        const { id } = result.payment
        context.out.print(
          { ...paymentView(result.payment), was_recorded_before: isRepeat },
          isRepeat
            ? `Payment ${id} (${payment.reference}) was recorded before; nothing changed.`
            : `Payment ${id} (${payment.reference}) is recorded.`,
        )
      }),
    )
}

const newPayment = (options: Options): NewPayment => ({
  accountId: options.account,
  amount: options.amount,
  currency: options.currency,
  planType: options.planType,
  billingCycle: options.billingCycle,
  reference: options.reference ?? `manual:${crypto.randomUUID()}`,
})

/** A reference that stands for something else is a slip, and saying "recorded" would hide it. */
function requireSame(asked: NewPayment, stored: Payment): void {
  const fields = Object.keys(asked) as (keyof NewPayment)[]
  if (fields.some((field) => asked[field] !== stored[field]))
    throw new CliError(
      `${asked.reference} is payment ${stored.id} already, with other particulars: payments list shows it.`,
      { code: 'payment_reference_reused', param: '--reference' },
    )
}
