import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * The metrics of this process: those of the files that it imports. Their labels have few values, all of them known
 * here: never an id, a path, a name that others choose, or a secret.
 */
export const registry = new Registry()

/** Creates a counter, which starts at 0 for each of `startsWith`, so that the first increase is seen. */
export function counter<Label extends string = never>(
  name: `reelgate_${string}_total`,
  help: string,
  labelNames: readonly Label[] = [],
  startsWith: readonly Record<Label, string>[] = [],
): Counter<Label> {
  const made = new Counter<Label>({ name, help, labelNames, registers: [registry] })
  for (const labels of startsWith) made.inc(labels, 0)
  return made
}

/** Creates a gauge. */
export const gauge = <Label extends string = never>(
  name: `reelgate_${string}`,
  help: string,
  labelNames: readonly Label[] = [],
): Gauge<Label> => new Gauge<Label>({ name, help, labelNames, registers: [registry] })

/** Creates a histogram of durations; `buckets` in seconds. */
export const histogram = <Label extends string = never>(
  name: `reelgate_${string}_seconds`,
  help: string,
  labelNames: readonly Label[],
  buckets: number[],
): Histogram<Label> =>
  new Histogram<Label>({ name, help, labelNames, buckets, registers: [registry] })
