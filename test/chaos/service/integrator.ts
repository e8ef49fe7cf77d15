import { randomInt } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isGenuine } from '../../../scripts/demo/integrator.ts'
import { openHttpsHost } from '../../../scripts/local-https/https-host.ts'
import { startDnsServer } from '../../infrastructure/dns-server.ts'
import { createRandom } from '../random.ts'
import { createFileHost } from './file-host.ts'

/** A delivery as it arrived. */
interface Received {
  deliveryId: number
  path: string
  body: string
  isGenuine: boolean
}

/** The servers of all integrators: a name in DNS, source files, and a webhook receiver for each account. */
export interface Integrator {
  baseUrl: string
  caFile: string
  dnsAddress: string
  /** The secret of each path of a receiver. */
  secrets: Map<string, string>
  received: Received[]
  /** DNS servers stay silent while `isAway`. */
  setDns(isAway: boolean): void
  /** DNS servers respond to no query at all while `isSilent`. */
  silenceDns(isSilent: boolean): void
  /** How many downloads of `/files/slow/…` run. */
  slowDownloads(): number
  /** Sends the rest of slow files at full speed. */
  hurry(): void
  /** Refuses all further requests for files. */
  expireLinks(): void
  close(): Promise<void>
}

const NAME = 'integrator.example'
/** The share of deliveries that get 500. */
const REFUSED_SHARE = 0.15

export async function openIntegrator(
  folder: string,
  source: string,
  { seed, address: given }: { seed: number; address?: string },
): Promise<Integrator> {
  const octet = () => randomInt(1, 251)
  const address = given ?? `127.${octet()}.${octet()}.${octet()}`
  const random = createRandom(seed, 'receiver')
  const caFile = join(folder, 'integrator-ca.pem')
  const secrets = new Map<string, string>()
  const received: Received[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const path = request.url ?? ''
    const headers = request.headers as Record<string, string>
    // The clock of the sender may be stepped, so the signature is judged at the time it names.
    const [, seconds = 0] = /t=(\d+)/.exec(headers['service-signature'] ?? '') ?? []
    const receivedAtMs = Number(seconds) * 1e3
    received.push({
      deliveryId: Number(headers['service-delivery-id']),
      path,
      body,
      isGenuine: isGenuine({ headers, body, receivedAtMs }, secrets.get(path) ?? ''),
    })
    response.writeHead(random.next() < REFUSED_SHARE ? 500 : 200).end()
  }
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith('/files/')) return files.handle(request, response)
    receive(request, response).catch(() => request.destroy())
  }
  const files = createFileHost(source)
  const host = { hosts: [NAME], address, port: 8443, caFile, handle }
  const dns = await startDnsServer()
  const setDns = (isAway: boolean): void => dns.set(NAME, isAway ? 'SILENCE' : [address])
  setDns(false)
  const close = await openHttpsHost(host)
  return {
    baseUrl: `https://${NAME}:8443`,
    caFile,
    dnsAddress: dns.address,
    secrets,
    received,
    setDns,
    silenceDns: (isSilent) => dns.setSilent(isSilent),
    slowDownloads: () => files.slowDownloads(),
    hurry: () => files.hurry(),
    expireLinks: () => files.expire(),
    close: async () => void (await Promise.all([close(), dns.close()])),
  }
}
