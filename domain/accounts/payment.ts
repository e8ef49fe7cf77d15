/** How often a plan is paid. The contract names the field and leaves its values open. */
export const BILLING_CYCLES = ['monthly', 'yearly'] as const

export type BillingCycle = (typeof BILLING_CYCLES)[number]

/** True for a valid billing cycle. */
export const isBillingCycle = (value: unknown): value is BillingCycle =>
  BILLING_CYCLES.some((cycle) => cycle === value)

/** True for a positive safe integer: an amount in the smallest unit of its currency. */
export const isPaymentAmount = (amount: number): boolean =>
  Number.isSafeInteger(amount) && amount > 0

/** True for a lowercase ISO 4217 code, the form that Stripe uses. */
export const isCurrency = (text: string): boolean => /^[a-z]{3}$/.test(text)

const DAY_SECONDS = 86_400

/**
 * Returns the cycle of a price that is charged every `count` `interval`s; null for others, such as
 * a quarter.
 */
export function cycleOfInterval(interval: string, count: number): BillingCycle | null {
  if (interval === 'month' && count === 1) return 'monthly'
  if ((interval === 'year' && count === 1) || (interval === 'month' && count === 12))
    return 'yearly'
  return null
}

/** Returns the cycle that matches the length of a paid period; null if none does. */
export function cycleOfPeriod(seconds: number): BillingCycle | null {
  // The shortest and longest month and year, with half a day of tolerance for daylight saving time.
  const days = seconds / DAY_SECONDS
  if (days >= 27.5 && days <= 31.5) return 'monthly'
  if (days >= 364.5 && days <= 366.5) return 'yearly'
  return null
}
