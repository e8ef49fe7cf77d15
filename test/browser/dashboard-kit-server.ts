import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { securityHeaders } from '../../dashboard/server/middleware/security-headers.ts'
import { prepareWeb, webRouter } from '../../dashboard/server/web-files.ts'
import { fontRouter } from '../../http/pages/fonts.ts'
import { closeServer } from '../infrastructure/close-server.ts'

const KIT_PAGE = 'test/browser/dashboard-kit-page.tsx'

/** Serves the page with the parts of the UI kit, under the policy of the dashboard. At `#all` it has all parts. */
export async function openKitServer(): Promise<{ url: string; close: () => Promise<void> }> {
  const web = webRouter(await prepareWeb(KIT_PAGE))
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const base = `http://localhost:${(server.address() as AddressInfo).port}`
  const headers = securityHeaders({
    embedBase: 'https://play.example',
    dashboardBase: base,
    uploads: { base: 'https://uploads.example' },
  })
  server.on('request', express().use(headers, fontRouter(), web))
  return { url: `${base}/accounts/kit`, close: () => closeServer(server) }
}
