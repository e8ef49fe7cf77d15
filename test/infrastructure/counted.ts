import type { Counter } from 'prom-client'

/** Returns a function that resolves to how much a counter has increased since, by the values of its labels. */
export async function countedSince(
  counter: Counter<string>,
): Promise<() => Promise<Record<string, number>>> {
  const before = await valuesOf(counter)
  return async () => {
    const now = Object.entries(await valuesOf(counter))
    const increases = now.map(([labels, value]) => [labels, value - (before[labels] ?? 0)] as const)
    return Object.fromEntries(increases.filter(([, increase]) => increase > 0))
  }
}

async function valuesOf(counter: Counter<string>): Promise<Record<string, number>> {
  const { values } = await counter.get()
  return Object.fromEntries(
    values.map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  )
}
