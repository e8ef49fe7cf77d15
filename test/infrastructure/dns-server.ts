import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode, type Answer, type Packet } from 'dns-packet'

/**
 * The response for a name: addresses of both families, an error code, no response (SILENCE), bytes that are
 * not DNS (NOISE), no response for IPv6, or addresses after a delay.
 */
type DnsResponse =
  | string[]
  | keyof typeof RCODES
  | 'SILENCE'
  | 'NOISE'
  | { onlyV4: string[] }
  | { afterMs: number; addresses: string[] }

export interface DnsServer {
  /** For `createEgress({ dnsServers: [address] })`. */
  address: string
  /** Sets the responses for a name: one for each lookup (A and AAAA); the last one repeats. */
  set(name: string, ...responses: DnsResponse[]): void
  /** Responds to no query at all, or again. */
  setSilent(isSilent: boolean): void
  /** Counts the lookups of a name, by the queries for its A record. */
  lookups(name: string): number
  close(): Promise<void>
}

const RCODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const

/** Starts a DNS server, by default on a free loopback port; other names do not exist. */
export async function startDnsServer(host = '127.0.0.1', port = 0): Promise<DnsServer> {
  const responses = new Map<string, DnsResponse[]>()
  const asked = new Map<string, number>()
  const timers = new Set<NodeJS.Timeout>()
  const socket = createSocket('udp4')
  let isSilentNow = false

  const responseTo = (name: string, type: string): DnsResponse => {
    const key = `${name}/${type}`
    const count = (asked.get(key) ?? 0) + 1
    asked.set(key, count)
    const list = responses.get(name) ?? ['NXDOMAIN']
    return list[Math.min(count, list.length) - 1] ?? 'NXDOMAIN'
  }

  socket.on('message', (message: Buffer, from: RemoteInfo) => {
    const query = decode(message)
    const [question] = query.questions ?? []
    if (question === undefined) return
    const name = question.name.toLowerCase()
    const response = responseTo(name, question.type)
    const isSilent =
      typeof response === 'object' && 'onlyV4' in response && question.type === 'AAAA'
    if (response === 'SILENCE' || isSilent || isSilentNow) return
    const { said, afterMs } = sayingOf(response)
    const bytes =
      said === 'NOISE'
        ? Buffer.from('no DNS at all')
        : encode(reply(query, question.name, question.type, said))
    const timer = setTimeout(() => {
      timers.delete(timer)
      socket.send(bytes, from.port, from.address)
    }, afterMs)
    timers.add(timer)
  })
  socket.bind(port, host)
  await once(socket, 'listening')

  return {
    address: `${host}:${socket.address().port}`,
    set: (name, ...list) => void responses.set(name, list),
    setSilent: (isSilent) => void (isSilentNow = isSilent),
    lookups: (name) => asked.get(`${name}/A`) ?? 0,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      socket.close()
      await once(socket, 'close')
    },
  }
}

function sayingOf(response: Exclude<DnsResponse, 'SILENCE'>) {
  if (typeof response === 'string' || Array.isArray(response)) return { said: response, afterMs: 0 }
  if ('onlyV4' in response) return { said: response.onlyV4, afterMs: 0 }
  return { said: response.addresses, afterMs: response.afterMs }
}

function reply(
  query: Packet,
  name: string,
  type: string,
  response: string[] | keyof typeof RCODES,
) {
  const head = { type: 'response' as const, ...idOf(query), ...questionsOf(query) }
  if (typeof response === 'string') return { ...head, flags: RCODES[response] }
  const isWanted = (address: string) => address.includes(':') === (type === 'AAAA')
  const records = type === 'A' || type === 'AAAA' ? response.filter(isWanted) : []
  const responses = records.map((data): Answer => ({ type: type as 'A', name, ttl: 0, data }))
  return { ...head, answers: responses }
}

function idOf({ id }: Packet) {
  return id === undefined ? {} : { id }
}

function questionsOf({ questions }: Packet) {
  return questions === undefined ? {} : { questions }
}
