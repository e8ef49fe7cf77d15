import { randomInt } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { isGenuine } from '../../../scripts/demo/integrator.ts'
import { openHttpsHost } from '../../../scripts/local-https/https-host.ts'
import type { ScriptedResponse } from './response-script.ts'

/** One request, as the receiver saw it. */
export interface ReceivedRequest {
  deliveryId: number
  /** Number of the attempt: one more than were recorded when the request arrived. */
  number: number
  body: string
  isGenuine: boolean
  receivedAtMs: number
}

/** The receivers of many integrators on one address. Each endpoint has a path and a secret. */
export interface Receiver {
  baseUrl: string
  caFile: string
  /** By path. */
  secrets: Map<string, string>
  received: ReceivedRequest[]
  close(): Promise<void>
}

export interface ReceiverOptions {
  folder: string
  /** Returns the number of the running attempt of a delivery. */
  numberOf: (deliveryId: number) => Promise<number>
  responseTo: (deliveryId: number, number: number) => ScriptedResponse
}

const RESPONSES_AFTER_MAX_MS = 80

export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const octet = () => randomInt(1, 251)
  const address = `127.${octet()}.${octet()}.${octet()}`
  const caFile = join(options.folder, 'receiver-ca.pem')
  const secrets = new Map<string, string>()
  const received: ReceivedRequest[] = []
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    // The sender was killed, or the run is over, so no client waits for the response.
    void receive(request, response, { ...options, secrets, received }).catch(() =>
      request.destroy(),
    )
  const close = await openHttpsHost({ hosts: [address], address, port: 8443, caFile, handle })
  return { baseUrl: `https://${address}:8443`, caFile, secrets, received, close }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  {
    secrets,
    received,
    numberOf,
    responseTo,
  }: ReceiverOptions & Pick<Receiver, 'secrets' | 'received'>,
): Promise<void> {
  const receivedAtMs = Date.now()
  const body = await text(request)
  const headers = request.headers as Record<string, string>
  const deliveryId = Number(headers['service-delivery-id'])
  const number = await numberOf(deliveryId)
  const secret = secrets.get(request.url ?? '') ?? ''
  received.push({
    deliveryId,
    number,
    body,
    receivedAtMs,
    isGenuine: isGenuine({ headers, body, receivedAtMs }, secret),
  })
  await sleep(randomInt(RESPONSES_AFTER_MAX_MS))
  respond(request, response, responseTo(deliveryId, number))
}

function respond(request: IncomingMessage, response: ServerResponse, how: ScriptedResponse): void {
  switch (how) {
    case 'ok':
      return void response.writeHead(200).end('thanks')
    case 'error':
      return void response.writeHead(500).end('not now')
    case 'redirect':
      return void response.writeHead(302, { Location: '/elsewhere' }).end()
    case 'reset':
      return void request.socket.destroy()
    case 'hang':
  }
}
