import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendFile } from '../../../scripts/local-https/https-host.ts'

/** The files of the integrator: the same video at every address. */
export interface FileHost {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** How many downloads of `/files/slow/…` run. */
  slowDownloads(): number
  /** Sends the rest of slow files at full speed. */
  hurry(): void
  /** Refuses all further requests, as the host of an expired link does. */
  expire(): void
}

/** A slow file takes this many parts, each after a pause, so that a download lasts for minutes. */
const PARTS = 600
const PAUSE_MS = 250

export function createFileHost(source: string): FileHost {
  let isExpired = false
  let isHurried = false
  const slow = new Set<ServerResponse>()

  async function sendSlowly(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'HEAD' || isHurried) return sendFile(source, request, response)
    slow.add(response)
    const bytes = await readFile(source)
    response.writeHead(200, {
      'Content-Type': 'video/mp4',
      'Content-Length': bytes.length,
      'Accept-Ranges': 'bytes',
      ETag: `"${bytes.length}"`,
    })
    const step = Math.ceil(bytes.length / PARTS)
    let sent = 0
    const timer = setInterval(() => {
      const part = bytes.subarray(sent, isHurried ? undefined : sent + step)
      sent += part.length
      response.write(part)
      if (sent >= bytes.length) response.end()
    }, PAUSE_MS)
    response.on('close', () => {
      clearInterval(timer)
      slow.delete(response)
    })
  }

  return {
    handle(request, response) {
      if (isExpired) return void response.writeHead(403).end()
      const send = request.url?.startsWith('/files/slow/')
        ? sendSlowly(request, response)
        : sendFile(source, request, response)
      send.catch(() => response.destroy())
    },
    slowDownloads: () => slow.size,
    hurry: () => void (isHurried = true),
    expire: () => void (isExpired = true),
  }
}
