import { Transform, type Readable } from 'node:stream'
import { EgressError, toEgressError } from './egress-error.ts'

/**
 * Wraps a response body so that it ends after `maxBytes` with an EgressError `response_too_large`, and so
 * that each of its failures is an EgressError. `onDone` runs when the last byte has arrived and when either
 * side gave up, possibly twice; nothing of the connection is needed after it. A body that nobody reads is safe too.
 */
export function boundBody(source: Readable, maxBytes: number, onDone: () => void): Readable {
  let receivedBytes = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length
      if (receivedBytes <= maxBytes) done(null, chunk)
      else done(new EgressError('response_too_large', 'The response is larger than is allowed.'))
    },
  })
  const fail = (error: unknown) => body.destroy(toEgressError(error))
  source.once('end', onDone).on('error', fail)
  body
    .on('error', () => {})
    .once('close', () => {
      source.destroy()
      onDone()
    })
  if (source.errored) fail(source.errored)
  return source.pipe(body)
}
