import { randomInt } from 'node:crypto'
import pg, { type Client } from 'pg'
import { createKey } from '../../commands/accounts/api-keys.ts'
import { createAccount } from '../../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { parseMasterKeys, type MasterKeys } from '../../security/sealing/sealing.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { NO_LIMIT } from '../api/fixture.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { percentile } from '../load.ts'
import { requireDisk } from '../require-disk.ts'
import { openBenchServers } from '../servers.ts'
import {
  fillPassages,
  finishFilling,
  prepareFilling,
  rareWordOf,
  VIDEOS_PER_HOUR,
  wordOf,
} from './fill-passages.ts'

const HOURS = Number(process.env.BENCH_CAPTION_HOURS ?? 50_000)
/** Of ten other accounts together. */
const OTHER_HOURS = HOURS / 5
const OTHERS = 10
const GB_PER_1000_HOURS = 0.4
const WARM_UP = 10
const SEARCHES = 200
const P95_BUDGET_MS = 200
const MS_PER_MINUTE = 60_000

/**
 * Measures searches in the captions of an account with 50,000 hours of them (`BENCH_CAPTION_HOURS`), beside ten accounts with a fifth of that. The texts are made, with
 * words as frequent as in speech.
 */
export async function benchCaptionSearch(): Promise<Figure[]> {
  const servers = await openBenchServers('caption-search', [])
  await requireDisk(servers.folder, Math.ceil((HOURS / 1_000) * GB_PER_1000_HOURS))
  await migrate(servers.databaseUrl)
  const db = await openDatabase({ url: servers.databaseUrl })
  const client = new pg.Client({ connectionString: servers.databaseUrl })
  try {
    await client.connect()
    const keys = parseMasterKeys(servers.masterKey)
    const account = await addAccount(db, keys)
    const startedAt = performance.now()
    await fill(client, db, keys, account.id)
    const minutes = (performance.now() - startedAt) / MS_PER_MINUTE
    const limits = { API_REQUESTS_PER_MINUTE: NO_LIMIT, API_REQUESTS_PER_DAY: NO_LIMIT }
    const api = await servers.startService('api/server.ts', 'API_PORT', limits)
    return [
      asInformation('hours of captions', HOURS, 'h'),
      asInformation('filled in', minutes, 'min'),
      ...(await sizesOf(client)),
      ...(await measure(api, account.apiKey, await readPhrases(client))),
    ]
  } finally {
    await client.end()
    await db.close(true)
    await servers.close()
  }
}

async function addAccount(db: Database, keys: MasterKeys) {
  const id = await createAccount(db.em.fork(), keys, { name: 'Bench', protection: 'clearkey' })
  const key = { accountId: id, name: 'Bench', scopes: ['videos:read' as const] }
  return { id, apiKey: await createKey(db.em.fork(), key) }
}

async function fill(
  client: Client,
  db: Database,
  keys: MasterKeys,
  accountId: number,
): Promise<void> {
  console.error(`  … filling ${HOURS} hours of captions, and ${OTHER_HOURS} of others`)
  await prepareFilling(client)
  await fillPassages(client, { accountId, videos: HOURS * VIDEOS_PER_HOUR })
  const ofOther = Math.round((OTHER_HOURS * VIDEOS_PER_HOUR) / OTHERS)
  for (let other = 0; other < OTHERS; other += 1) {
    const { id } = await addAccount(db, keys)
    await fillPassages(client, { accountId: id, videos: ofOther })
  }
  console.error('  … building the index')
  await finishFilling(client)
}

async function sizesOf(client: Client): Promise<Figure[]> {
  const { rows } = await client.query<{ passages: number; gb: number; index_gb: number }>(
    `select (select count(*)::int from caption_passage) as passages,
      pg_total_relation_size('caption_passage') / 1e9 as gb, pg_relation_size('caption_passage_words') / 1e9 as index_gb`,
  )
  const [sizes] = rows
  return [
    asInformation('passages', sizes?.passages ?? 0, ''),
    asInformation('passages with all indexes', Number(sizes?.gb), 'GB'),
    asInformation('index of their words', Number(sizes?.index_gb), 'GB'),
  ]
}

/** Some of what is said: three words that follow each other. */
async function readPhrases(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ words: string }>(
    'select words from bench_text order by id limit 500',
  )
  return rows.map(({ words }) => words.split(' ').slice(10, 13).join(' '))
}

const [COMMON, MIDDLE, SELDOM] = [
  [40, 80],
  [400, 800],
  [10_000, 60_000],
] as const

const word = ([from, to]: readonly [number, number]): string => wordOf(randomInt(from, to))

/** What is sought, by its kind. */
const queries = (phrases: readonly string[]): [name: string, query: () => string][] => [
  ['a common word', () => word(COMMON)],
  ['a word of the middle', () => word(MIDDLE)],
  ['a seldom word', () => word(SELDOM)],
  ['a word of three passages', () => rareWordOf(randomInt(HOURS * 24))],
  ['two common words', () => `${word(COMMON)} ${word(COMMON)}`],
  ['a common and a seldom word', () => `${word(COMMON)} ${word(SELDOM)}`],
  ['three words', () => `${word(COMMON)} ${word(MIDDLE)} ${word(MIDDLE)}`],
  ['a phrase', () => `"${phrases[randomInt(phrases.length)] ?? ''}"`],
  ['a common word without another', () => `${word(COMMON)} -${word(COMMON)}`],
  ['words that are never said', () => 'unsaid unheard'],
]

async function measure(
  api: ServerProcess,
  apiKey: string,
  phrases: readonly string[],
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, query] of queries(phrases)) {
    const times: number[] = []
    for (let search = 0; search < WARM_UP + SEARCHES; search += 1) {
      const ms = await timeSearch(api, apiKey, query())
      if (search >= WARM_UP) times.push(ms)
    }
    figures.push(
      asInformation(`${name}, p50`, percentile(times, 0.5), 'ms'),
      atMost(`${name}, p95`, percentile(times, 0.95), 'ms', { most: P95_BUDGET_MS }),
    )
  }
  return figures
}

async function timeSearch({ baseUrl }: ServerProcess, apiKey: string, q: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`${baseUrl}/v1/search?${new URLSearchParams({ q }).toString()}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  })
  await response.text()
  if (response.status !== 200) throw new Error(`GET /v1/search got ${response.status} for ${q}`)
  return performance.now() - startedAt
}
