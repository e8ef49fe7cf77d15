import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, S3Error, type ClientOptions } from 'minio'
import { createS3Transport, type S3Limits } from './s3-transport.ts'

const ATTEMPTS = 3
const WAIT_MS = 100
/** What the client throws for a status after which a request can be sent again. */
const BUSY = 'Retryable HTTP status'

/**
 * A client of S3 whose requests end in time. A read is sent up to three times if it got no response or the server is busy;
 * a write only if the server is busy, because without a response it may have been carried out: its caller decides.
 */
export class S3Client extends Client {
  constructor(options: ClientOptions & { useSSL: boolean }, limits: S3Limits) {
    // The client's own retry writes to the console, and does not cover connections.
    const retryOptions = { disableRetry: true }
    super({ ...options, ...createS3Transport(options.useSSL, limits), retryOptions })
  }

  // The client puts brackets around an IPv6 address only beside a port.
  protected override getRequestOptions(
    ...parameters: Parameters<Client['getRequestOptions']>
  ): ReturnType<Client['getRequestOptions']> {
    const options = super.getRequestOptions(...parameters)
    const { host } = options.headers
    if (typeof host === 'string' && isIPv6(host)) options.headers.host = `[${host}]`
    return options
  }

  // Every request of the client passes here.
  override async makeRequestStreamAsync(
    ...parameters: Parameters<Client['makeRequestStreamAsync']>
  ): ReturnType<Client['makeRequestStreamAsync']> {
    const [{ method }, body] = parameters
    const isRead = method === 'GET' || method === 'HEAD'
    const isRepeatable = typeof body === 'string' || Buffer.isBuffer(body)
    return withRetries(
      () => super.makeRequestStreamAsync(...parameters),
      (error) => isRepeatable && !(error instanceof S3Error) && (isRead || isBusy(error)),
    )
  }
}

/** Calls `send` up to three times, as long as `isPassing` says so of its error; the pauses grow and differ. */
export async function withRetries<T>(
  send: () => Promise<T>,
  isPassing: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      if (attempt === ATTEMPTS || !isPassing(error)) throw error
      await sleep(WAIT_MS * attempt * (0.5 + Math.random()))
    }
  }
}

const isBusy = (error: unknown): boolean => error instanceof Error && error.message.includes(BUSY)
