import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeServer } from '../infrastructure/close-server.ts'

/** A CDN in front of the player host. */
export interface CachingProxy {
  base: string
  /** The addresses that were requested since the last call, and how many of them were in the cache. */
  taken(): { addresses: string[]; hits: number }
  empty(): void
  close(): Promise<void>
}

const UNKEPT = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'])

/** Starts a proxy that keeps what its origin lets it keep, and leaves `CMCD` out of its cache key. Redirects are passed on. */
export async function openCachingProxy(origin: string): Promise<CachingProxy> {
  const kept = new Map<string, { status: number; headers: Record<string, string>; body: Buffer }>()
  let addresses: string[] = []
  let hits = 0
  const fetchKept = async (key: string, address: string) => {
    const found = kept.get(key)
    if (found) hits += 1
    if (found) return found
    const response = await fetch(origin + address, { redirect: 'manual' })
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !UNKEPT.has(name)))
    const made = {
      status: response.status,
      headers,
      body: Buffer.from(await response.arrayBuffer()),
    }
    if (response.headers.get('cache-control')?.startsWith('public')) kept.set(key, made)
    return made
  }
  const server = createServer((request, response) => {
    const address = request.url ?? '/'
    addresses.push(address)
    const url = new URL(address, origin)
    url.searchParams.delete('CMCD')
    fetchKept(url.href, address).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken() {
      const seen = { addresses, hits }
      ;[addresses, hits] = [[], 0]
      return seen
    },
    empty: () => kept.clear(),
    close: () => closeServer(server),
  }
}
