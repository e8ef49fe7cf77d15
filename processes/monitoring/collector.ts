import type { Gauge } from 'prom-client'
import { collectionFailures } from '../../metrics/process.ts'
import { within } from '../within.ts'

/** Values that are read when Prometheus asks for them. */
export interface Collection {
  /** The label of its failures. */
  name: string
  /** Every gauge that it sets. */
  gauges: readonly Gauge<string>[]
  /** Reads all values. May reject: its gauges are then missing until the next success. */
  read: () => Promise<Sample[]>
}

/** A value of a gauge. */
export interface Sample {
  gauge: Gauge<string>
  labels?: Record<string, string>
  value: number
}

/** Below the ten seconds that Prometheus waits for a response. */
const DEADLINE_MS = 5_000

/**
 * Returns a function that runs all collections, each with a deadline, and never rejects. Calls at the same time share
 * one run. `onFailure` gets each failure, for the log.
 */
export function createCollector(
  collections: readonly Collection[],
  onFailure: (collection: string, error: unknown) => void,
  deadlineMs = DEADLINE_MS,
): () => Promise<void> {
  for (const { name } of collections) collectionFailures.inc({ collection: name }, 0)
  let running: Promise<void> | null = null
  const collect = async (collection: Collection): Promise<void> => {
    try {
      setAll(collection, await within(deadlineMs, collection.read()))
    } catch (error) {
      setAll(collection, [])
      collectionFailures.inc({ collection: collection.name })
      onFailure(collection.name, error)
    }
  }
  const collectAll = async (): Promise<void> => {
    await Promise.all(collections.map(collect))
  }
  return () => (running ??= collectAll().finally(() => (running = null)))
}

/** Sets the gauges of a collection to these values. Those without one are missing from the response. */
function setAll({ gauges }: Collection, samples: Sample[]): void {
  for (const gauge of gauges) {
    gauge.reset()
    // Without labels, a gauge that is reset has the value 0.
    gauge.remove({})
  }
  for (const { gauge, labels = {}, value } of samples) gauge.set(labels, value)
}

/**
 * Returns a `read` that reads at most once in `keptMs`, for values that cost too much to be read each time. After a
 * failure they are missing until then.
 */
export function keptFor(keptMs: number, read: Collection['read']): Collection['read'] {
  let readAtMs = -Infinity
  let samples: Sample[] = []
  return async () => {
    if (performance.now() - readAtMs > keptMs) {
      readAtMs = performance.now()
      samples = []
      samples = await read()
    }
    return samples
  }
}
