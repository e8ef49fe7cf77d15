import { setTimeout as sleep } from 'node:timers/promises'
import { SCOPES } from '../../domain/accounts/scopes.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { fillDatabase, NO_LIMIT, type BenchAccount } from '../api/fixture.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { memoryMib } from '../memory.ts'
import { p99, readAccount } from '../read-account.ts'
import { openBenchServers } from '../servers.ts'

const AT_ONCE = 4
const ROUNDS = 5
const MEMORY_BUDGET_MIB = 640
const P99_BUDGET_MS = 250
const READ_EVERY_MS = 20
const IDLE_READS = 200

/** 4.9 MB that cost the parser the most: tags without an end. */
const HOSTILE = `WEBVTT\n\n${'00:00.000 --> 00:01.000\n<i>\n\n'.repeat(168_000)}`

/** Made once: the requests and their measurements share this process. */
const HOSTILE_JSON = JSON.stringify(HOSTILE)

/** Measures the memory of the API and its children, and another account's reads, while one key sends hostile captions. */
export async function benchCaptions(): Promise<Figure[]> {
  const servers = await openBenchServers('captions', [])
  try {
    const [one, other] = await fillDatabase(servers.databaseUrl, servers.masterKey, SCOPES)
    if (!one || !other) throw new Error('the database has no accounts')
    const limits = { API_REQUESTS_PER_MINUTE: NO_LIMIT, API_REQUESTS_PER_DAY: NO_LIMIT }
    const api = await servers.startService('api/server.ts', 'API_PORT', limits)
    return await measure(api, one, other)
  } finally {
    await servers.close()
  }
}

async function measure(api: ServerProcess, one: BenchAccount, other: BenchAccount) {
  const idleMs: number[] = []
  for (let reads = 0; reads < IDLE_READS; reads += 1) {
    idleMs.push(await readAccount(api, other))
    await sleep(READ_EVERY_MS)
  }
  const idle = memoryMib(api.pid)
  const peaks: number[] = []
  const latenciesMs: number[] = []
  let isOver = false
  const sampling = (async () => {
    while (!isOver) {
      peaks.push(memoryMib(api.pid))
      latenciesMs.push(await readAccount(api, other))
      await sleep(READ_EVERY_MS)
    }
  })()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const statuses = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => postCaption(api, one, `x-${round}-${index}`)),
    )
    console.error(`  … round ${round}: ${statuses.join(' ')}`)
  }
  isOver = true
  await sampling
  return [
    asInformation('memory of the API at rest', idle, 'MiB'),
    asInformation('GET /v1/account at rest, p99', p99(idleMs), 'ms'),
    atMost(
      `memory of the API and its children, ${AT_ONCE} hostile captions at once`,
      Math.max(...peaks),
      'MiB',
      {
        most: MEMORY_BUDGET_MIB,
      },
    ),
    atMost(`GET /v1/account of another account meanwhile, p99`, p99(latenciesMs), 'ms', {
      most: P99_BUDGET_MS,
    }),
  ]
}

async function postCaption(
  { baseUrl }: ServerProcess,
  account: BenchAccount,
  language: string,
): Promise<number> {
  const response = await fetch(`${baseUrl}/v1/videos/${account.videoId}/captions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.apiKey}`, 'Content-Type': 'application/json' },
    body: `{"language_code":"en-${language}","label":"Hostile","content":${HOSTILE_JSON}}`,
  })
  await response.text()
  return response.status
}
