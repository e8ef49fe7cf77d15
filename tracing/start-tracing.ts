import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { reportFailures, type FailureLogger } from './report-failures.ts'
import { TRACE_IDS } from './trace-ids.ts'

interface TracingOptions {
  /** Base address of a collector that speaks OTLP over HTTP. */
  endpoint: string
  headers: Record<string, string>
  /** The share of requests that are traced, from 0 to 1. */
  ratio: number
  process: string
  version: string
  logger: FailureLogger
}

/** Limits one batch, with its retries. Short, because the end of a process waits for the last batch. */
const EXPORT_TIMEOUT_MS = 3_000
/** Limits the memory: further spans are dropped until a batch has left. */
const WAITING_SPANS_MAX = 4_096

/**
 * Sends the spans of this process to a collector, in batches and beside its work. Returns a function that sends the last
 * ones and resolves within EXPORT_TIMEOUT_MS, whatever the collector does.
 */
export function startTracing(options: TracingOptions): () => Promise<void> {
  const { url, agent } = collectorOf(options.endpoint)
  const exporter = new OTLPTraceExporter({
    url,
    headers: options.headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
    httpAgentOptions: () => agent,
  })
  const processor = new BatchSpanProcessor({
    exporter: reportFailures(exporter, options.logger),
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    maxQueueSize: WAITING_SPANS_MAX,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'reelgate',
      'service.name': `reelgate-${options.process}`,
      'service.version': options.version,
    }),
    idGenerator: TRACE_IDS,
    // Not by the flag of the parent: every process decides by the trace id, so all decide alike.
    sampler: new TraceIdRatioBasedSampler(options.ratio),
    spanProcessors: [processor],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, EXPORT_TIMEOUT_MS)
    await Promise.race([provider.shutdown(), late]).catch(() => {})
    clearTimeout(timer)
    // A collector that never ends its response would keep the process alive.
    agent.destroy()
  }
}

function collectorOf(endpoint: string) {
  const url = `${endpoint}/v1/traces`
  const options = { keepAlive: true }
  const agent = url.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options)
  return { url, agent }
}
