import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { BodyBudget, type BodyBudgetOptions, type BodyOwner } from './body-budget.ts'
import { BodyError, type BodyFault } from './body-error.ts'
import { continueIfExpected } from './expectations.ts'
import { hasBody } from './has-body.ts'
import { sizeInWords } from './size-in-words.ts'

const KIB = 1024

/** Time for any body, and the lowest average rate beyond it. */
const DEFAULT_GRACE_MS = 10_000
const LOWEST_BYTES_PER_MS = (64 * KIB) / 1000

export interface BodyRules {
  maxBytes: number
  /** Who holds the bytes until the response is sent. */
  owners: readonly BodyOwner[]
  /** True to accept a body with Content-Encoding; its decompressed size is limited. */
  isInflated?: boolean
}

export interface BodiesOptions extends Partial<BodyBudgetOptions> {
  graceMs?: number
}

/** Reads the bodies of one process, within its limits of memory and time. */
export class Bodies {
  readonly #budget: BodyBudget
  readonly #graceMs: number

  constructor({ graceMs = DEFAULT_GRACE_MS, ...budget }: BodiesOptions = {}) {
    this.#budget = new BodyBudget(budget)
    this.#graceMs = graceMs
  }

  /**
   * Counts `bytes` of memory for `owners` until `response` is sent. Throws a BodyError if the budget does not have
   * them.
   */
  hold(response: ServerResponse, bytes: number, owners: readonly BodyOwner[]): void {
    const release = this.#budget.take(bytes, owners)
    if (response.closed) release()
    else response.once('close', release)
  }

  /**
   * Resolves to the body of a request, or to null if it has none. Throws a BodyError before anything is read if the
   * Content-Length is above `maxBytes` or the budget is used up; later, as soon as a body without Content-Length is
   * larger, or when it does not arrive in time. The caller responds at once; the connection ends with the response to a
   * body that is too large or too slow, and the rest of others is drained (`deferBodies`).
   */
  async read(
    request: IncomingMessage,
    response: ServerResponse,
    rules: BodyRules,
  ): Promise<Buffer | null> {
    if (!hasBody(request)) return null
    try {
      return await this.#collect(request, response, rules)
    } catch (error) {
      // The client may send for long what is not read.
      if (error instanceof BodyError && ENDS_CONNECTION.includes(error.type))
        response.shouldKeepAlive = false
      throw error
    }
  }

  async #collect(
    request: IncomingMessage,
    response: ServerResponse,
    { maxBytes, owners, isInflated = false }: BodyRules,
  ): Promise<Buffer> {
    const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
    const decoder = decoderOf(encoding, isInflated)
    const declared = declaredBytes(request)
    if (declared !== null && declared > maxBytes) throw tooLarge(maxBytes)
    const expected = decoder === null && declared !== null ? declared : maxBytes
    this.hold(response, expected, owners)
    continueIfExpected(request, response)
    return collect(request, decoder, {
      maxBytes,
      maxMs: this.#graceMs + expected / LOWEST_BYTES_PER_MS,
    })
  }
}

const ENDS_CONNECTION: readonly BodyFault[] = ['entity.too.large', 'body.too.slow']

/** Null for a chunked body. */
const declaredBytes = ({ headers }: IncomingMessage): number | null =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length']) : null

type Decoder = ReturnType<typeof createGunzip>

function decoderOf(encoding: string, isInflated: boolean): Decoder | null {
  if (encoding === 'identity') return null
  if (isInflated && encoding === 'gzip') return createGunzip()
  if (isInflated && encoding === 'deflate') return createInflate()
  if (isInflated && encoding === 'br') return createBrotliDecompress()
  throw new BodyError('encoding.unsupported', 'The Content-Encoding of the body is not supported.')
}

const tooLarge = (maxBytes: number): BodyError =>
  new BodyError('entity.too.large', `The request body is larger than ${sizeInWords(maxBytes)}.`)

/** Collects the bytes of a body in one buffer, which grows as they arrive. */
async function collect(
  request: IncomingMessage,
  decoder: Decoder | null,
  { maxBytes, maxMs }: { maxBytes: number; maxMs: number },
): Promise<Buffer> {
  const source: Readable = decoder === null ? request : request.pipe(decoder)
  const body = new GrowingBuffer(maxBytes)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const timer = setTimeout(
    () => reject(new BodyError('body.too.slow', 'The request body did not arrive in time.')),
    maxMs,
  )
  const onData = (chunk: Buffer): void => {
    if (!body.append(chunk)) reject(tooLarge(maxBytes))
  }
  const onClose = (): void => {
    if (!request.complete) reject(new BodyError('request.aborted', 'The request was aborted.'))
  }
  const onFault = (): void =>
    reject(new BodyError('entity.encoding.failed', 'The request body cannot be decompressed.'))
  source.on('data', onData)
  source.once('end', () => resolve(body.bytes()))
  request.once('close', onClose)
  request.once('error', onClose)
  decoder?.once('error', onFault)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    source.off('data', onData)
    request.off('close', onClose)
    stop(request, decoder)
  }
}

/** Lets what is still to come be discarded. */
function stop(request: IncomingMessage, decoder: Decoder | null): void {
  if (decoder === null) return
  request.unpipe(decoder)
  decoder.on('error', () => {})
  decoder.destroy()
  request.resume()
}

const FIRST_BYTES = 4 * KIB

/** Copies what arrives, so that many small chunks cost no more memory than their bytes. */
class GrowingBuffer {
  readonly #maxBytes: number
  #buffer = Buffer.alloc(0)
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns false if the whole is larger than the maximum; then nothing more is kept. */
  append(chunk: Buffer): boolean {
    const length = this.#length + chunk.length
    if (length > this.#maxBytes) {
      this.#buffer = Buffer.alloc(0)
      return false
    }
    if (length > this.#buffer.length) this.#grow(length)
    chunk.copy(this.#buffer, this.#length)
    this.#length = length
    return true
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  #grow(length: number): void {
    const size = Math.min(this.#maxBytes, Math.max(length, 2 * this.#buffer.length, FIRST_BYTES))
    const grown = Buffer.allocUnsafeSlow(size)
    this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
  }
}
