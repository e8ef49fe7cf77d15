import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { parseJson } from '../../../domain/parse-json.ts'
import { readBounded, ResponseTooLargeError } from '../../../storage/read-bounded.ts'
import { CliError } from '../../errors.ts'
import { LONGEST_WAIT_MS, retryAfterMs, windowWaitMs } from './rate-limits.ts'
import { SlowError, withinLimit } from './within-limit.ts'

/** How an API of a service is called. */
export interface ServiceClientOptions {
  /** The service in sentences. */
  title: string
  /** Its API. Requests never leave this origin. */
  api: URL
  /** With the credentials. */
  headers: Record<string, string>
  /** Between the starts of two requests, by the documented limit. */
  gapMs: number
  /** What to do if the service refuses the credentials. */
  remedy: string
  signal: AbortSignal
  /** Called with the reason of each wait that is longer than the gap. */
  onWait: (reason: string, waitMs: number) => void
  /** These are for tests. */
  timeoutMs?: number
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Calls the API of a service, no faster than it allows; failures that pass are repeated. All methods throw CliErrors. */
export interface ServiceClient {
  /** Gets JSON. `path` is relative to the API, or absolute on its host, as links to next pages are. */
  get: <T>(path: string, schema: z.ZodType<T>) => Promise<T>
  /** The same; null if there is no such thing. */
  find: <T>(path: string, schema: z.ZodType<T>) => Promise<T | null>
  send: <T>(method: 'POST' | 'PUT', path: string, body: object, schema: z.ZodType<T>) => Promise<T>
  /** Gets a file of at most so many bytes. */
  file: (path: string, maxBytes: number) => Promise<Uint8Array>
  /** Waits, and ends with the signal. */
  pause: (ms: number) => Promise<void>
}

/** A page of a hundred videos with all links of Vimeo has well under a megabyte. */
const PAGE_MAX_BYTES = 16_000_000
const TIMEOUT_MS = 30_000
/** With the waits below, about three minutes, if the service does not say how long. */
const RETRIES_MAX = 8
const FIRST_WAIT_MS = 1_000
const USUAL_WAIT_MAX_MS = 60_000

interface Call {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: object
  maxBytes?: number
}

/** Creates a client. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const exchange = createExchange(options)
  const json = async <T>(call: Call, schema: z.ZodType<T>): Promise<T | null> => {
    const bytes = await exchange.send(call)
    return bytes && parseBody(options.title, call.path, bytes, schema)
  }
  const present = <T>(value: T | null, { path }: Pick<Call, 'path'>): T => {
    if (value !== null) return value
    throw unexpected(`${options.title} has nothing at ${pathOf(path)} (status 404).`)
  }
  return {
    get: async (path, schema) => present(await json({ method: 'GET', path }, schema), { path }),
    find: (path, schema) => json({ method: 'GET', path }, schema),
    send: async (method, path, body, schema) =>
      present(await json({ method, path, body }, schema), { path }),
    file: async (path, maxBytes) =>
      present(await exchange.send({ method: 'GET', path, maxBytes }), { path }),
    pause: exchange.pause,
  }
}

function parseBody<T>(title: string, path: string, bytes: Uint8Array, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseJson(new TextDecoder().decode(bytes)))
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join('.') ?? ''
  throw unexpected(
    `The response of ${title} to ${pathOf(path)} is not as documented${field === '' ? '' : `: ${field} is missing or wrong`}.`,
  )
}

/** Without the query, which may be long. */
const pathOf = (path: string): string => path.split(/[?#]/, 1).join('')

const unexpected = (message: string): CliError =>
  new CliError(message, { code: 'unexpected_response' })

interface Exchange {
  /** Resolves to the body of a successful response; to null for 404. */
  send: (call: Call) => Promise<Uint8Array | null>
  pause: (ms: number) => Promise<void>
}

function createExchange(options: ServiceClientOptions): Exchange {
  const { title, signal, onWait, gapMs } = options
  const wait = options.wait ?? ((ms: number) => sleep(ms, undefined, { signal }))
  let freeAtMs = 0
  let hasResponded = false

  const pause = async (ms: number): Promise<void> => {
    await wait(ms, signal)
    signal.throwIfAborted()
  }

  /** Requests that run at the same time take turns too. */
  async function turn(): Promise<void> {
    const nowMs = Date.now()
    const startMs = Math.max(nowMs, freeAtMs)
    freeAtMs = startMs + gapMs
    const waitMs = startMs - nowMs
    if (waitMs > gapMs) onWait(`The requests that ${title} allows are used up.`, waitMs)
    if (waitMs > 0) await pause(waitMs)
  }

  async function attempt(call: Call): Promise<Uint8Array | null | Failure> {
    await turn()
    try {
      return await withinLimit(signal, options.timeoutMs ?? TIMEOUT_MS, async (limited) => {
        const response = await request(options, call, limited)
        hasResponded = true
        const nowMs = Date.now()
        freeAtMs = Math.max(
          freeAtMs,
          nowMs + Math.min(LONGEST_WAIT_MS, windowWaitMs(response.headers, nowMs)),
        )
        return await outcomeOf(options, call, response)
      })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof CliError) throw error
      const reason = `${title} cannot be reached (${causeOf(error)}).`
      // Also says at once, and without patience, that the address is wrong or the network is away.
      if (!hasResponded) throw new CliError(reason, { code: 'service_unavailable' })
      return { reason, waitMs: null }
    }
  }

  return {
    pause,
    async send(call) {
      for (let failures = 0; ; failures += 1) {
        const outcome = await attempt(call)
        if (outcome === null || outcome instanceof Uint8Array) return outcome
        const ownMs = Math.min(USUAL_WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** failures)
        const waitMs = Math.max(ownMs, outcome.waitMs ?? 0)
        if (failures === RETRIES_MAX || waitMs > LONGEST_WAIT_MS)
          throw new CliError(`${outcome.reason} Run the same command later.`, {
            code: 'service_unavailable',
          })
        onWait(outcome.reason, waitMs)
        await pause(waitMs)
      }
    },
  }
}

/** A failure that may pass. */
interface Failure {
  reason: string
  /** What the service asks for. */
  waitMs: number | null
}

/** Follows no redirect: one to another host would get the credentials. */
function request(
  { api, headers }: ServiceClientOptions,
  { method, path, body }: Call,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(addressOf(api, path), {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
    redirect: 'manual',
    signal,
  })
}

/** Returns the address of a path, or of a link in a response, which must stay in the API: others would get the credentials. */
export function addressOf(api: URL, path: string): URL {
  const base = api.href.replace(/\/*$/, '')
  // Without the slash, a host such as `.evil.example` would become part of the API's.
  const url = URL.parse(/^[/?]/.test(path) ? base + path : path)
  if (url && url.origin === api.origin && url.username === '' && url.password === '') return url
  throw unexpected('A link to a next page leads to another host. It was not followed.')
}

async function outcomeOf(
  { title, remedy }: ServiceClientOptions,
  { path, maxBytes = PAGE_MAX_BYTES }: Call,
  response: Response,
): Promise<Uint8Array | null | Failure> {
  const { status, headers, body } = response
  if (status >= 200 && status <= 299) return await bodyOf(title, path, body, maxBytes)
  await body?.cancel().catch(() => {})
  if (status === 404) return null
  if (status === 401 || status === 403)
    throw new CliError(`${title} refuses the credentials (status ${status}). ${remedy}`, {
      code: 'credentials_refused',
    })
  if (status === 429 || status === 408 || status >= 500) {
    const waitMs = retryAfterMs(headers, Date.now()) ?? (windowWaitMs(headers, Date.now()) || null)
    return { reason: `${title} responds with status ${status}.`, waitMs }
  }
  throw unexpected(`${title} responds to ${pathOf(path)} with status ${status}.`)
}

async function bodyOf(
  title: string,
  path: string,
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> {
  try {
    return await readBounded(body ?? [], maxBytes)
  } catch (error) {
    if (!(error instanceof ResponseTooLargeError)) throw error
    throw unexpected(`The response of ${title} to ${pathOf(path)} has more than ${maxBytes} bytes.`)
  }
}

/** Names the cause of a failed fetch, without the address. */
function causeOf(error: unknown): string {
  if (error instanceof SlowError) return 'it does not respond in time'
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === '' ? 'the connection broke' : code
}
