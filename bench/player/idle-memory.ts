import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/embedded/ports.ts'
import { atMost } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { SITE } from './bench-world.ts'
import type { PlayerBenchWorld } from './bench-world.ts'

const SETTLE_MS = 8_000

/**
 * Resident memory of the api and of the player, some seconds after one request, beside an Express
 * app of one route. RSS rather than PSS: what is shared with other Node processes must not make the
 * figure depend on how many of them the machine happens to run.
 */
export async function measureIdleMemory(world: PlayerBenchWorld): Promise<Figure[]> {
  const [apiPort, expressPort] = [await freePort(), await freePort()]
  const api = await world.startServer('api/server.ts', {
    port: apiPort,
    env: world.environment('API_PORT', apiPort),
  })
  const express = await world.startServer('bench/player/bare-express.mjs', {
    port: expressPort,
    args: [String(expressPort)],
  })
  try {
    await ask(`${api.baseUrl}/v1/account`, 401)
    await ask(`${world.player.baseUrl}${world.path}`, 200)
    await ask(`${express.baseUrl}/`, 200)
    await sleep(SETTLE_MS)
    const anchor = residentMb(express.pid)
    return [
      atMost('memory of an idle api', residentMb(api.pid), 'MB', { anchor, most: 3 }),
      atMost('memory of an idle player', residentMb(world.player.pid), 'MB', { anchor, most: 3 }),
    ]
  } finally {
    await Promise.all([api.stop(), express.stop()])
  }
}

async function ask(url: string, status: number): Promise<void> {
  const response = await fetch(url, { headers: { Referer: SITE } })
  await response.arrayBuffer()
  if (response.status !== status) throw new Error(`${url} answered ${response.status}`)
}

/** Resident set of a process, in units of 1,000,000 bytes. */
function residentMb(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kib === undefined) throw new Error('this system does not tell how much memory a process has')
  return (Number(kib) * 1024) / 1e6
}
