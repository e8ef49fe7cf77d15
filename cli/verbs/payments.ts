import { isDeepStrictEqual } from 'node:util'
import { Option } from 'commander'
import { recordPayment } from '../../commands/payments/record-payment.ts'
import { listPayments } from '../../db/accounts/payments.ts'
import type { NewPayment } from '../../db/accounts/write-payments.ts'
import type { Payment } from '../../db/entities/account.ts'
import { BILLING_CYCLES, type BillingCycle } from '../../domain/accounts/payment.ts'
import { paymentView } from '../../views/accounts/payment.ts'
import {
  accountFilter,
  accountOption,
  limitOption,
  parseAmount,
  parseCurrency,
  parseName,
} from '../arguments.ts'
import { audited, type OperatorChange } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError, noAccount } from '../errors.ts'
import { humaneTime, table } from '../output.ts'
import type { RegisterVerbs } from '../verb.ts'

/** The verbs of `payments`. */
export const payments: RegisterVerbs = (program, run) => {
  const noun = program
    .command('payments')
    .description('record and list payments; those through Stripe are recorded automatically')
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
    .action(run(record))
  noun
    .command('list')
    .description('list payments, newest first')
    .addOption(accountFilter())
    .addOption(limitOption())
    .action(run(list))
}

interface RecordOptions {
  account: number
  amount: number
  currency: string
  planType: string
  billingCycle: BillingCycle
  reference?: string
}

async function record(context: Context, options: RecordOptions): Promise<void> {
  const payment: NewPayment = {
    accountId: options.account,
    amount: options.amount,
    currency: options.currency,
    planType: options.planType,
    billingCycle: options.billingCycle,
    reference: options.reference ?? `manual:${crypto.randomUUID()}`,
  }
  const result = await audited(
    await context.entityManager(),
    (tx) => recordPayment(tx, payment),
    (made) => (made.outcome === 'recorded' ? changeOf(made.payment) : null),
  )
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
}

const changeOf = (payment: Payment): OperatorChange => ({
  accountId: payment.accountId,
  action: 'payment.record',
  subject: String(payment.id),
  after: paymentView(payment),
  fields: ['amount', 'currency', 'plan_type', 'billing_cycle', 'reference'],
})

/** Throws a CliError if the reference belongs to a different payment, which is probably a mistake. */
function requireSame(requested: NewPayment, stored: Payment): void {
  const { accountId, amount, currency, planType, billingCycle, reference } = stored
  const recorded = { accountId, amount, currency, planType, billingCycle, reference }
  if (!isDeepStrictEqual(requested, recorded))
    throw new CliError(
      `${requested.reference} is payment ${stored.id} already, with other details: payments list shows it.`,
      { code: 'payment_reference_reused', param: '--reference' },
    )
}

interface ListOptions {
  account?: number
  limit: number
}

async function list(context: Context, { account, limit }: ListOptions): Promise<void> {
  const em = await context.entityManager()
  const records = (await listPayments(em, { accountId: account, limit })).map(paymentView)
  const headings = ['ID', 'ACCOUNT', 'AMOUNT', 'PLAN TYPE', 'CYCLE', 'RECORDED', 'REFERENCE']
  const cells = records.map((payment) => [
    String(payment.id),
    String(payment.account_id),
    `${payment.amount} ${payment.currency}`,
    payment.plan_type,
    payment.billing_cycle,
    humaneTime(payment.created_at),
    payment.reference,
  ])
  context.out.print(records, table(headings, cells, 'No payments.'))
}
