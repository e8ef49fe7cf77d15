import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Figure } from '../figure.ts'
import { SITE, type PlayerBenchFixture } from './fixture.ts'

const SETTLE_MS = 8_000

/**
 * Measures the resident memory of the API and the player some seconds after one request, compared with
 * an Express app of one route. RSS instead of PSS, because PSS depends on how many other Node
 * processes run on the machine.
 */
export async function measureIdleMemory(fixture: PlayerBenchFixture): Promise<Figure[]> {
  const api = await fixture.servers.startService('api/server.ts', 'API_PORT')
  const express = await fixture.servers.startAnchor('bench/player/bare-express.mjs')
  try {
    await request(`${api.baseUrl}/v1/account`, 401)
    await request(`${fixture.player.baseUrl}${fixture.path}`, 200)
    await request(`${express.baseUrl}/`, 200)
    await sleep(SETTLE_MS)
    const anchor = residentMb(express.pid)
    return [
      atMost('memory of an idle api', residentMb(api.pid), 'MB', { anchor, most: 3 }),
      atMost('memory of an idle player', residentMb(fixture.player.pid), 'MB', { anchor, most: 3 }),
    ]
  } finally {
    await Promise.all([api.stop(), express.stop()])
  }
}

async function request(url: string, status: number): Promise<void> {
  const response = await fetch(url, { headers: { Referer: SITE } })
  await response.arrayBuffer()
  if (response.status !== status) throw new Error(`${url} responded with ${response.status}`)
}

/** Resident set of a process, in units of 1,000,000 bytes. */
function residentMb(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kib === undefined) throw new Error('this system does not report the memory of a process')
  return (Number(kib) * 1024) / 1e6
}
