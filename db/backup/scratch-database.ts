import { randomBytes } from 'node:crypto'
import pg, { type Client } from 'pg'
import { connectForBackup, takeLock } from './connection.ts'

const DRILL_LOCK = 7_201_957

/**
 * Runs `work` with another, empty database on the server of `url`, and drops it. Also drops what killed runs have
 * left. Throws a LockedError while another process works with one.
 */
export async function withScratchDatabase<T>(
  url: string,
  work: (scratchUrl: string) => Promise<T>,
): Promise<T> {
  const client = await connectForBackup(url)
  try {
    await takeLock(client, DRILL_LOCK)
    // The lock counts in this database only, so others on the server have other names.
    const { rows } = await client.query<{ hash: string }>('select md5(current_database()) as hash')
    const prefix = `reelgate_drill_${rows[0]?.hash.slice(0, 12)}_`
    await dropScratch(client, prefix)
    const name = prefix + randomBytes(6).toString('hex')
    await client.query(`create database ${name}`)
    try {
      return await work(urlOf(url, name))
    } finally {
      await dropScratch(client, prefix)
    }
  } finally {
    await client.end().catch(() => {})
  }
}

function urlOf(url: string, name: string): string {
  const scratch = new URL(url)
  scratch.pathname = `/${name}`
  return scratch.href
}

async function dropScratch(client: Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  )
  for (const { datname } of rows)
    await client.query(`drop database if exists ${pg.escapeIdentifier(datname)} with (force)`)
}
