import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { z } from 'zod'
import { closeServer } from './close-server.ts'

const valueSchema = z
  .union([
    z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
    z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  ])
  .catch('another type')
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])))
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(''),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: attributesSchema,
  status: z.object({ code: z.number().default(0) }),
})
/** What a collector is sent (opentelemetry-proto, `ExportTraceServiceRequest`), as far as the tests read it. */
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
})

/** A span as it arrived. */
export type CollectedSpan = z.infer<typeof spanSchema> & {
  /** The name of the process that sent it. */
  service: unknown
}

/** A collector of OpenTelemetry: OTLP over HTTP, in JSON. */
export interface TraceCollector {
  endpoint: string
  spans: CollectedSpan[]
  /** Each request, also those that got no response. */
  requests: { url: string; headers: IncomingHttpHeaders; body: string }[]
  /** Stops taking spans; `respond` responds to each request instead, until `recover`. */
  respondWith(respond: (response: ServerResponse) => void): void
  /** Takes spans again. */
  recover(): void
  /** The number of open connections. */
  connections(): Promise<number>
  close(): Promise<void>
}

/** Opens a collector on a free port of the loopback interface. */
export async function openTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const requests: TraceCollector['requests'] = []
  let respond: ((response: ServerResponse) => void) | null = null
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    void text(request).then((body) => {
      requests.push({ url, headers, body })
      if (respond) return respond(response)
      spans.push(...spansOf(body))
      response.setHeader('Content-Type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    requests,
    respondWith: (one) => void (respond = one),
    recover: () => void (respond = null),
    connections: () => promisify(server.getConnections.bind(server))(),
    close: () => closeServer(server),
  }
}

function spansOf(body: string): CollectedSpan[] {
  const { resourceSpans } = exportSchema.parse(JSON.parse(body))
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({ ...span, service: resource.attributes['service.name'] })),
    ),
  )
}

const TRICKLE_MS = 200

/** A response that never ends, over a connection that is never idle. */
export function trickle(response: ServerResponse): void {
  response.writeHead(200)
  const timer = setInterval(() => response.write(' '), TRICKLE_MS)
  response.once('close', () => clearInterval(timer))
}
