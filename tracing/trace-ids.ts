import { randomBytes } from 'node:crypto'
import type { SpanIds } from '../domain/trace-context.ts'

let given: SpanIds | null = null

/** Runs `start`, which starts one span, under the given ids. */
export function withIds<T>(ids: SpanIds, start: () => T): T {
  given = ids
  try {
    return start()
  } finally {
    given = null
  }
}

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')

/** The ids of the spans of this process: random, unless `withIds` gives them. */
export const TRACE_IDS = {
  generateTraceId: (): string => given?.traceId ?? randomHex(16),
  generateSpanId: (): string => given?.spanId ?? randomHex(8),
}
