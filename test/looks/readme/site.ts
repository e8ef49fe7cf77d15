import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { escapeHtml } from '../../../domain/html.ts'
import { openHttpsHost, sendFile } from '../../../scripts/local-https/https-host.ts'
import { closeServer } from '../../infrastructure/close-server.ts'
import { startDnsServer } from '../../infrastructure/dns-server.ts'

const HOST = 'www.example.org'
/** Apart from 443, the only port that a source link or a webhook may name. */
const PORT = 8443
/** Another address than that of the demo, so that both can run. */
const ADDRESS = '127.37.0.1'

/** A site that uses the service: it hosts the sources, receives webhooks and embeds videos. */
export interface Site {
  hookUrl: string
  /** Settings of a service that knows the site by its name and trusts its certificate. */
  settings: Record<string, string>
  /** Returns the link of a file in the folder of the sources. */
  fileUrl(path: string): string
  /** Returns the address of a page that embeds a video by its markup. */
  embedding(iframeHtml: string): string
  close(): Promise<void>
}

/** Starts the site with the files of `folder`, by the name www.example.org. */
export async function openSite(folder: string): Promise<Site> {
  const dns = await startDnsServer()
  dns.set(HOST, [ADDRESS])
  const caFile = join(folder, 'site-ca.pem')
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const name = basename(request.url ?? '')
    if (request.method === 'POST') return acknowledge(request, response)
    void sendFile(join(folder, name), request, response).catch(() => response.destroy())
  }
  const host = { hosts: [HOST], address: ADDRESS, port: PORT, caFile, handle }
  const closeHost = await openHttpsHost(host)
  let iframe = ''
  // Over http like the player: from https to http, browsers send no Referer.
  const pages = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pageHtml(iframe))
  }).listen(0, '127.0.0.1')
  await once(pages, 'listening')
  const { port } = pages.address() as AddressInfo
  return {
    hookUrl: `https://${HOST}:${PORT}/hooks/videos`,
    settings: { EGRESS_CA_FILE: caFile, EGRESS_DNS_SERVERS: dns.address },
    fileUrl: (path) => `https://${HOST}:${PORT}/files/${basename(path)}`,
    embedding(iframeHtml) {
      iframe = iframeHtml
      return `http://localhost:${port}/`
    },
    async close() {
      await Promise.all([closeHost(), closeServer(pages), dns.close()])
    },
  }
}

/** Responds to a webhook once its body has arrived. */
function acknowledge(request: IncomingMessage, response: ServerResponse): void {
  request.resume().on('end', () => {
    response.setHeader('Content-Type', 'application/json').end('{"received": true}')
  })
}

const ATTRIBUTION = 'Big Buck Bunny, © Blender Foundation, CC BY 3.0, peach.blender.org'

const pageHtml = (iframe: string): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>Open film club</title><link rel="icon" href="data:,"><style>
body { margin: 0; font: 17px/1.5 system-ui, sans-serif; color: #1f2933; background: #faf7f2 }
header { padding: 18px 0; color: #fff; background: #3b5d3a }
header div, main { width: 960px; margin: 0 auto }
header b { margin-inline-end: 32px; font-size: 20px }
header span { margin-inline-end: 20px; opacity: .85 }
h1 { margin: 22px 0 14px; font-size: 28px }
p { margin: 12px 0; color: #52606d }
</style><header><div><b>Open film club</b><span>Tonight</span><span>Library</span><span>Members</span></div></header>
<main><h1>Tonight: Big Buck Bunny</h1>${iframe}<p>${escapeHtml(ATTRIBUTION)}</p></main></html>`
