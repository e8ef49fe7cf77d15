import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { escapeHtml } from '../../domain/html.ts'

/** A site with another origin than the player, whose page contains only an iframe. */
export interface FramingSite {
  /** Its host name, which browsers resolve to the loopback interface. */
  host: string
  /** The address of a page that frames `src`; `attributes` are those of the iframe. */
  framing: (src: string, attributes?: string) => string
  close(): void
}

/** Starts the site on a free port. */
export async function openFramingSite(host = 'site.localhost'): Promise<FramingSite> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://site')
    const src = escapeHtml(searchParams.get('src') ?? 'about:blank')
    response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Site</title>
<link rel="icon" href="data:,"><body style="margin:0">
<iframe src="${src}" ${searchParams.get('attributes') ?? ''} style="display:block;border:0;width:100vw;height:100vh"></iframe>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host,
    framing: (src, attributes = '') =>
      `http://${host}:${port}/?${new URLSearchParams({ src, attributes }).toString()}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
