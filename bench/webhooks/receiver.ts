// An integrator's receiver: responds with 200 and records each arrival. Replies to each message with the
// arrivals since the previous message.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { openHttpsHost } from '../../scripts/local-https/https-host.ts'
import type { Arrival } from './fixture.ts'

const [address = '', caFile = ''] = process.argv.slice(2)
let arrivals: Arrival[] = []

function receive(request: IncomingMessage, response: ServerResponse): void {
  request.resume().once('end', () => {
    const deliveryId = Number(request.headers['service-delivery-id'])
    arrivals.push({ deliveryId, atMs: Date.now() })
    response.writeHead(200).end()
  })
}

await openHttpsHost({ hosts: [address], address, port: 8443, caFile, handle: receive })
process.on('message', () => {
  process.send?.(arrivals)
  arrivals = []
})
process.once('disconnect', () => process.exit())
process.send?.('ready')
