import type { Payment } from '../../api/usage.ts'
import { useLocale } from '../../locales/words.tsx'
import { Cell, DataTable } from '../../parts/lists/data-table.tsx'
import { LongText } from '../../parts/text/long-text.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { useUsageWords } from './words.ts'

/** Payments, newest first. */
export function PaymentsTable({ payments }: { payments: Payment[] }) {
  const { plan: texts } = useUsageWords()
  const { language } = useLocale()
  return (
    <DataTable
      label={texts.payments}
      name="payments"
      columns={[texts.reference, texts.type, texts.cycle, texts.amount, texts.paid]}
    >
      {payments.map((payment) => (
        <tr key={payment.id}>
          <Cell label={texts.reference} isWide>
            <LongText>{payment.reference}</LongText>
          </Cell>
          <Cell label={texts.type}>
            <LongText>{payment.plan_type}</LongText>
          </Cell>
          <Cell label={texts.cycle}>{cycleText(payment.billing_cycle, texts.cycles)}</Cell>
          <Cell label={texts.amount}>{money(payment, `${language}-u-nu-latn`)}</Cell>
          <Cell label={texts.paid}>
            <RelativeTime at={payment.created_at} />
          </Cell>
        </tr>
      ))}
    </DataTable>
  )
}

const cycleText = (cycle: string, texts: Partial<Record<string, string>>): string =>
  texts[cycle] ?? cycle

/** From the smallest unit of the currency, of which a yen has none. */
function money({ amount, currency }: Payment, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0
  return format.format(amount / 10 ** digits)
}
