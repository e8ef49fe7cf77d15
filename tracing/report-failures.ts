import type { SpanExporter } from '@opentelemetry/sdk-trace'

/** The part of a logger that this folder uses. */
export interface FailureLogger {
  info: (message: string) => void
  warn: (fields: object, message: string) => void
}

/** Logs once when the collector stops to take traces, and once when it takes them again. */
export function reportFailures(exporter: SpanExporter, logger: FailureLogger): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined
        if (hasFailed && !isFailing)
          logger.warn(
            { reason: reasonOf(result.error) },
            'traces are lost: the collector did not take them',
          )
        if (!hasFailed && isFailing) logger.info('the collector takes traces again')
        isFailing = hasFailed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** A code or an HTTP status. The message may have what the collector returned. */
const reasonOf = (error: Error | undefined): unknown =>
  (error as { code?: unknown } | undefined)?.code ?? error?.name
