import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Router } from 'express'
import { pino } from 'pino'
import { createApp } from '../../api/app.ts'
import { createEgress } from '../../egress/egress.ts'
import { unreadableBody } from '../../http/api-error.ts'
import { createLongPolls } from '../../http/long-polls.ts'
import { Bodies } from '../../processes/bodies/read-body.ts'
import { createHttpServer } from '../../processes/http-server.ts'
import { createStorage, type ObjectStorage } from '../../storage/object-storage.ts'
import { openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { closeServer } from '../infrastructure/close-server.ts'
import { openParts } from '../infrastructure/open-parts.ts'

/** The dashboard, and the API that takes the bytes of its uploads, at an origin of its own. */
export interface UploadsDoor extends DashboardFixture {
  storage: ObjectStorage
  folder: string
  /** Lets only so many further requests with bytes through; the others wait. */
  letThrough: (requests: number) => void
  /** Cuts the connections of those that wait, and of those that come, until `letThrough`. */
  cut: () => void
  /** Refuses larger bodies, as nginx does: with 413, which pages of another origin cannot read, and without reading on. */
  refuseAbove: (bytes: number) => void
}

/** Opens the door of uploads, with the app for the browser that `webRouter` sends. */
export const openUploadsDoor = (
  webRouter: Router,
): Promise<UploadsDoor & { close: () => Promise<void> }> =>
  openParts(async (parts) => {
    const folder = await mkdtemp(join(tmpdir(), 'reelgate-uploads-'))
    parts.defer(() => rm(folder, { recursive: true, force: true }))
    const logger = pino({ level: 'silent' })
    const gate = openGate()
    let largestBytes = Infinity
    let app: RequestListener = (_request, response) => void response.destroy()
    const passOn: RequestListener = (request, response) => {
      const go = (): void => {
        if (!request.socket.destroyed) app(request, response)
      }
      if (Number(request.headers['content-length'] ?? 0) > largestBytes) {
        response.writeHead(413, { Connection: 'close' }).end('too large')
        return
      }
      if (request.method === 'PUT') gate.pass(go, () => request.socket.destroy())
      else go()
    }
    const options = { logger, refusalBody: unreadableBody('https://api.example') }
    const server = createHttpServer(passOn, options)
    parts.adopt(server.listen(0, '127.0.0.1'), closeServer)
    parts.defer(() => gate.letThrough(Infinity))
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const uploads = { base: `http://127.0.0.1:${port}`, openMax: 20 }
    const dashboard = parts.adopt(
      await openDashboardFixture(() => ({ webRouter, uploads })),
      (opened) => opened.close(),
    )
    const storage = createStorage({ driver: 'folder', dir: join(folder, 'objects') })
    app = createApp({
      db: dashboard.db,
      masterKeys: dashboard.masterKeys,
      egress: createEgress({ allowedNetworks: [], extraCa: [], logger }),
      apiBase: 'https://api.example',
      embedBase: 'https://play.example',
      rateLimits: { perMinute: 1_000_000, perDay: 1_000_000 },
      stripeWebhookSecret: null,
      longPolls: createLongPolls(new AbortController().signal),
      bodies: new Bodies(),
      hasDrmProvider: false,
      trustedProxies: 0,
      uploads,
      storage,
      logger,
    })
    const refuseAbove = (bytes: number): void => void (largestBytes = bytes)
    return { ...dashboard, ...gate, refuseAbove, storage, folder }
  })

/** A place that so many may pass as it is told. */
function openGate() {
  let allowed = Infinity
  let isCut = false
  const waiting: { go: () => void; end: () => void }[] = []
  const letThrough = (requests: number): void => {
    allowed = requests
    isCut = false
    while (allowed > 0 && waiting.length > 0) {
      allowed -= 1
      waiting.shift()?.go()
    }
  }
  const pass = (go: () => void, end: () => void): void => {
    if (isCut) return end()
    waiting.push({ go, end })
    letThrough(allowed)
  }
  const cut = (): void => {
    isCut = true
    for (const { end } of waiting.splice(0)) end()
  }
  return { pass, letThrough, cut }
}
