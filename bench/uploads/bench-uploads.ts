import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { Pool } from 'undici'
import { SCOPES } from '../../domain/accounts/scopes.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { fillDatabase, NO_LIMIT, type BenchAccount } from '../api/fixture.ts'
import { reserveServerCore } from '../cores.ts'
import { asInformation, atLeast, atMost, pairsAtLeast, type Figure } from '../figure.ts'
import { memoryMib } from '../memory.ts'
import { pairUp } from '../pairs.ts'
import { p99, readAccount } from '../read-account.ts'
import { openBenchServers, type BenchServers } from '../servers.ts'
import { createAtApi, createAtTusServer, sendFile } from './send-file.ts'

const MIB = 1 << 20
/** As clients of Reelgate send. */
const CHUNK_BYTES = 16 * MIB
const FILE_MIB = 256
const ROUNDS = 5
const RATE_MIN = 0.8
const AT_ONCE = 100
const MEMORY_BUDGET_MIB = 512
const READ_EVERY_MS = 20
const GUESSES = 10_000
const GUESSES_PER_SECOND = 100

interface Bench {
  api: ServerProcess
  anchor: ServerProcess
  account: BenchAccount
  servers: BenchServers
}

/** Measures uploads on one core, compared with plain files of `@tus/file-store`; their memory, and the reads of others meanwhile. */
export async function benchUploads(): Promise<Figure[]> {
  const cores = reserveServerCore()
  const servers = await openBenchServers('uploads', cores.launcher)
  try {
    const [account] = await fillDatabase(servers.databaseUrl, servers.masterKey, SCOPES)
    if (!account) throw new Error('the database has no account')
    const plain = join(servers.folder, 'plain')
    await mkdir(plain)
    const anchor = await servers.startAnchor('bench/uploads/file-store-server.ts', plain)
    const api = await servers.startService('api/server.ts', 'API_PORT', {
      STORAGE_DIR: objectsOf(servers),
      API_REQUESTS_PER_MINUTE: NO_LIMIT,
      API_REQUESTS_PER_DAY: NO_LIMIT,
    })
    const bench = { api, anchor, account, servers }
    const many = await measureMany(bench)
    return [...(await measureRate(bench)), ...many, ...(await measureGuesses(bench))]
  } finally {
    await servers.close()
    cores.release()
  }
}

const objectsOf = ({ folder }: BenchServers): string => join(folder, 'objects')

/** One file after another, in turn at both servers. */
async function measureRate({ api, anchor, account, servers }: Bench): Promise<Figure[]> {
  const file = randomBytes(FILE_MIB * MIB)
  const pools = { api: new Pool(api.baseUrl), anchor: new Pool(anchor.baseUrl) }
  const rates = { api: [] as number[], anchor: [] as number[] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const paths = {
      api: await createAtApi(pools.api, account.apiKey, file.length),
      anchor: await createAtTusServer(pools.anchor, '/files', file.length),
    }
    for (const name of ['anchor', 'api'] as const) {
      const startedAt = performance.now()
      await sendFile(pools[name], paths[name], file, CHUNK_BYTES)
      const rate = (FILE_MIB * 1000) / (performance.now() - startedAt)
      // The first round warms up.
      if (round > 0) rates[name].push(rate)
      console.error(`  … round ${round}, ${name}: ${Math.round(rate)} MiB/s`)
    }
    // Otherwise the disk would write the files of this round during the next one.
    await rm(objectsOf(servers), { recursive: true, force: true })
  }
  await Promise.all([pools.api.close(), pools.anchor.close()])
  const pairs = pairUp(rates.api, rates.anchor)
  return [pairsAtLeast('an upload on one core', pairs, 'MiB/s', RATE_MIN)]
}

/** A hundred uploads at the same time. */
async function measureMany({ api, account }: Bench): Promise<Figure[]> {
  const pool = new Pool(api.baseUrl, { connections: AT_ONCE })
  const file = randomBytes(2 * CHUNK_BYTES + 5)
  const atRestMib = memoryMib(api.pid)
  const atRestMs = await readsDuring(api, account, sleep(5_000))
  const paths = await Promise.all(
    Array.from({ length: AT_ONCE }, () => createAtApi(pool, account.apiKey, file.length)),
  )
  let mostMib = 0
  const timer = setInterval(() => (mostMib = Math.max(mostMib, memoryMib(api.pid))), 100)
  const sending = Promise.all(paths.map((path) => sendFile(pool, path, file, CHUNK_BYTES)))
  const meanwhileMs = await readsDuring(api, account, sending)
  clearInterval(timer)
  await pool.close()
  const most = MEMORY_BUDGET_MIB
  return [
    atMost(`memory of the API with ${AT_ONCE} uploads at once`, mostMib, 'MiB', { most }),
    asInformation('memory of the API before', atRestMib, 'MiB'),
    asInformation('GET /v1/account meanwhile, p99', p99(meanwhileMs), 'ms', {
      anchor: p99(atRestMs),
    }),
  ]
}

/** Reads of an account while a client asks for addresses that lead nowhere, compared with those before and after. */
async function measureGuesses({ api, account }: Bench): Promise<Figure[]> {
  const restMs = (GUESSES / GUESSES_PER_SECOND / 2) * 1000
  await readsDuring(api, account, sleep(restMs))
  const before = await readsDuring(api, account, sleep(restMs))
  const script = 'bench/uploads/guess-addresses.ts'
  const args = [script, api.baseUrl, String(GUESSES_PER_SECOND), String(GUESSES)]
  const guessing = execa('node', ['--no-warnings', ...args])
  await once(guessing.stderr, 'data')
  const meanwhile = await readsDuring(api, account, guessing)
  const after = await readsDuring(api, account, sleep(restMs))
  const statuses = JSON.parse((await guessing).stdout) as Record<string, number>
  return [
    atLeast(`404 for ${GUESSES} guessed addresses`, statuses[404] ?? 0, 'responses', {
      least: GUESSES,
    }),
    atMost(
      `GET /v1/account during ${GUESSES_PER_SECOND} guesses a second, p99`,
      p99(meanwhile),
      'ms',
      { anchor: p99([...before, ...after]), most: 1.2 },
    ),
  ]
}

async function readsDuring(
  api: ServerProcess,
  account: BenchAccount,
  work: Promise<unknown>,
): Promise<number[]> {
  let isOver = false
  const ended = work.finally(() => (isOver = true))
  const timesMs: number[] = []
  while (!isOver) {
    timesMs.push(await readAccount(api, account))
    await sleep(READ_EVERY_MS)
  }
  await ended
  return timesMs
}
