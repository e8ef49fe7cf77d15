import { createServer } from 'node:http'
import { connect } from 'node:tls'

const TIMEOUT_MS = 2_000

/** Returns when the certificate that this machine shows for a host ends, in seconds. */
function certificateEnd(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    // Only the date counts here: the journey verifies the authority.
    const options = { host: '127.0.0.1', port: 443, servername: host, rejectUnauthorized: false }
    const socket = connect(options, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to) / 1000)
      socket.destroy()
    })
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no response')))
    socket.once('error', reject)
  })
}

/**
 * Starts a stand-in for the blackbox exporter: `/probe?target=https://host/` returns when the certificate of the host expires.
 * Resolves to a function that closes it.
 */
export async function openCertificateExporter(port: number): Promise<() => void> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://exporter')
    certificateEnd(new URL(searchParams.get('target') ?? '').hostname).then(
      (end) => response.end(`probe_ssl_earliest_cert_expiry ${end}\n`),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
    response.setHeader('Content-Type', 'text/plain; version=0.0.4')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '0.0.0.0', resolve)
  })
  return () => {
    server.close()
    server.closeAllConnections()
  }
}
