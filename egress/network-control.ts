import { randomBytes } from 'node:crypto'
import { connect, isIP } from 'node:net'
import { startDeadline } from './deadline.ts'
import { EgressError, type Doubt } from './egress-error.ts'
import type { Lookup } from './resolve.ts'

/** A host that accepted a connection. */
interface Seen {
  hostname: string
  address: string
  port: number
}

/**
 * Decides whose fault it is that a name did not resolve, or that a host did not accept a connection: if other names or
 * hosts respond at this moment, it is theirs; if nothing responds, the network of this installation is away.
 */
export interface NetworkControl {
  /** Remembers a host that accepted a connection. */
  connected(host: Seen): void
  /** Whether nothing responds. Takes at most `CONTROL_MS`. */
  isAway(doubt: Doubt, hostname: string): Promise<boolean>
}

const CONTROL_MS = 3_000
/** A response this long ago still shows that the network works. */
const FRESH_MS = 1_000
/** How many hosts are remembered, and how many are asked at once. */
const REMEMBERED_MAX = 16
const ASKED_MAX = 4
const DEFAULT_PORT = 443

/**
 * Creates the control. It asks `hosts`; if there are none, hosts that have lately accepted connections of this process.
 * Before any has, it asks the resolver for a top-level domain that does not exist.
 */
export function createNetworkControl(lookup: Lookup, hosts: readonly string[]): NetworkControl {
  const chosen = hosts.map(parseHost)
  const seen = new Map<string, Seen>()
  const respondedAtMs: Record<Doubt, number> = { resolver: -Infinity, route: -Infinity }
  const running = new Map<string, Promise<boolean>>()

  const responded = (doubt: Doubt): void => void (respondedAtMs[doubt] = performance.now())
  const latest = (): Seen[] => [...seen.values()].slice(-ASKED_MAX).toReversed()

  async function ask(doubt: Doubt, hostname: string): Promise<boolean> {
    const deadline = startDeadline(CONTROL_MS)
    const { signal } = deadline
    try {
      const routes = doubt === 'route' ? await routesOf(signal) : []
      const questions =
        routes.length > 0
          ? routes.map((route) => accepts(route, signal))
          : namesFor(hostname).map((name) => isResolved(lookup, name, signal))
      const isWorking = (await Promise.all(questions.map(quietly))).some(Boolean)
      if (isWorking) responded(doubt)
      return isWorking
    } finally {
      deadline.release()
    }
  }

  async function routesOf(signal: AbortSignal): Promise<Omit<Seen, 'hostname'>[]> {
    if (chosen.length === 0) return latest()
    const found = await Promise.all(
      chosen.map(async ({ hostname, port }) => {
        const addresses = await lookup(hostname, signal).catch(() => [])
        return addresses.slice(0, 1).map((address) => ({ address, port }))
      }),
    )
    return found.flat()
  }

  /** New names, so that no cache responds. Those below the failing name's own domain would fail with it. */
  function namesFor(hostname: string): string[] {
    const others = (chosen.length > 0 ? chosen : latest()).map((host) => host.hostname)
    const asked = others.filter((host) => isIP(host) === 0 && domainOf(host) !== domainOf(hostname))
    const random = randomBytes(8).toString('hex')
    return asked.length > 0 ? asked.map((host) => `rg-${random}.${host}.`) : [`rg-${random}.`]
  }

  return {
    connected(host) {
      responded('route')
      seen.delete(host.hostname)
      seen.set(host.hostname, host)
      const [oldest] = seen.keys()
      if (seen.size > REMEMBERED_MAX && oldest !== undefined) seen.delete(oldest)
    },
    async isAway(doubt, hostname) {
      if (performance.now() - respondedAtMs[doubt] < FRESH_MS) return false
      const key = `${doubt} ${hostname}`
      const control = running.get(key) ?? ask(doubt, hostname).finally(() => running.delete(key))
      running.set(key, control)
      return !(await control)
    },
  }
}

/** Parses "name" or "name:port". */
function parseHost(host: string): { hostname: string; port: number } {
  const [hostname = '', port] = host.split(':')
  return { hostname, port: port === undefined ? DEFAULT_PORT : Number(port) }
}

const domainOf = (hostname: string): string => hostname.split('.').slice(-2).join('.')

const quietly = (question: Promise<boolean>): Promise<boolean> => question.catch(() => false)

/** Whether the resolver responds for a name, also that it does not exist. */
async function isResolved(lookup: Lookup, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await lookup(name, signal)
    return true
  } catch (error) {
    return error instanceof EgressError && error.code === 'dns_error' && error.doubt === undefined
  }
}

/** Whether a host accepts a connection. Sends nothing. A refusal may come from a gateway that has no route. */
function accepts({ address, port }: Omit<Seen, 'hostname'>, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host: address, port, autoSelectFamily: false })
  const end = (isThere: boolean): void => {
    socket.destroy()
    resolve(isThere)
  }
  socket.once('connect', () => end(true))
  socket.once('error', () => end(false))
  signal.addEventListener('abort', () => end(false), { once: true })
  return promise
}
