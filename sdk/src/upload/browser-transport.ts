import { fetchTransport, type UploadTransport } from './transport.ts'

/** Sends with XMLHttpRequest, because fetch does not say how much of a body has left a browser; elsewhere with fetch. */
export const browserTransport = (): UploadTransport =>
  typeof XMLHttpRequest === 'undefined' ? fetchTransport() : { send, sleep }

const send: UploadTransport['send'] = ({ method, url, headers, body, onSent, signal }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = (): void => request.abort()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        headers: headersOf(request.getAllResponseHeaders()),
        text: request.responseText,
      }),
    )
    request.addEventListener('error', () => reject(new TypeError('The network failed.')))
    request.addEventListener('abort', () => reject(signal.reason))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort, { once: true })
    request.send(body)
    if (signal.aborted) abort()
  })

function headersOf(text: string): Headers {
  const headers = new Headers()
  for (const line of text.trim().split(/\r?\n/)) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}

/** A browser that knows that it is offline does not try; one that comes back does so at once. */
const sleep: UploadTransport['sleep'] = (ms, signal) =>
  new Promise((resolve, reject) => {
    const isOffline = !navigator.onLine
    const end = (settle: () => void) => (): void => {
      clearTimeout(timer)
      removeEventListener('online', wake)
      signal.removeEventListener('abort', stop)
      settle()
    }
    const wake = end(resolve)
    const stop = end(() => reject(signal.reason))
    const timer = isOffline ? undefined : setTimeout(wake, ms)
    addEventListener('online', wake)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
