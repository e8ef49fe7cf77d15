/** How often a plan is paid for; the contract names the field and leaves its values open. */
export const BILLING_CYCLES = ['monthly', 'yearly'] as const

export type BillingCycle = (typeof BILLING_CYCLES)[number]

/** True for a cycle that a payment can have. */
export const isBillingCycle = (text: unknown): text is BillingCycle =>
  (BILLING_CYCLES as readonly unknown[]).includes(text)

/** True for an amount in the smallest unit of its currency that a number holds exactly, over 0. */
export const isPaymentAmount = (amount: number): boolean =>
  Number.isSafeInteger(amount) && amount > 0

/** True for an ISO 4217 code in lowercase, as Stripe writes it. */
export const isCurrency = (text: string): boolean => /^[a-z]{3}$/.test(text)

const DAY_SECONDS = 86_400

/** The cycle of a price that is charged each `count` `interval`s; null for a week, a quarter and the like. */
export function cycleOfInterval(interval: string, count: number): BillingCycle | null {
  if (interval === 'month' && count === 1) return 'monthly'
  if ((interval === 'year' && count === 1) || (interval === 'month' && count === 12))
    return 'yearly'
  return null
}

/** The cycle whose length a paid period of so many seconds has; null for any other length. */
export function cycleOfPeriod(seconds: number): BillingCycle | null {
  // The shortest and the longest month and year, and half a day for a clock that was put forward or back.
  const days = seconds / DAY_SECONDS
  if (days >= 27.5 && days <= 31.5) return 'monthly'
  if (days >= 364.5 && days <= 366.5) return 'yearly'
  return null
}
