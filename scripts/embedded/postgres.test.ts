import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../test/infrastructure/wait-for.ts'
import { startGuard } from './guard.ts'
import { freePort } from './ports.ts'
import { startPostgres, type Postgres } from './postgres.ts'
import { openRotatingLog } from './rotating-log.ts'

const guard = startGuard()
let dataDir: string
let running: Postgres | null

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'postgres-test-'))
  running = null
})
afterEach(async () => {
  await running?.stop()
  rmSync(dataDir, { recursive: true })
})

const start = async () => {
  const log = openRotatingLog(join(dataDir, 'logs', 'postgres.log'))
  running = await startPostgres({ dataDir, port: await freePort(), log, guard })
  return running
}

const query = async (url: string, sql: string) => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

// Under root, the user that runs PostgreSQL cannot enter this folder, as with a clone in /root.
describe('the embedded PostgreSQL', () => {
  it('keeps its data after a restart, and requires its password, which only the owner can read', async () => {
    const first = await start()
    await query(first.url, 'create table kept (n int); insert into kept values (7)')
    await first.stop()
    const second = await start()
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }])
    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600)
    const wrong = new URL(second.url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  })

  it('recovers all committed data after kill -9, although the pid in postmaster.pid belongs to another process', async () => {
    const first = await start()
    await query(first.url, 'create table kept (n int); insert into kept values (7)')
    process.kill(first.child.pid, 'SIGKILL')
    await first.child.ended
    const other = spawn('sleep', ['60'])
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
    const lines = readFileSync(pidFile, 'utf8').split('\n')
    writeFileSync(pidFile, [other.pid, ...lines.slice(1)].join('\n'))
    const second = await start()
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }])
    other.kill()
  })

  it('starts once the processes that a killed server has left are gone', async () => {
    const first = await start()
    const client = new pg.Client({ connectionString: first.url })
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const left = rows[0]?.pid ?? 0
    // A stopped process does not notice that its server is gone.
    process.kill(left, 'SIGSTOP')
    process.kill(first.child.pid, 'SIGKILL')
    await first.child.ended
    const second = start()
    second.catch(() => {})
    const log = join(dataDir, 'logs', 'postgres.log')
    await until(() => readFileSync(log, 'utf8').includes('pre-existing shared memory block'))
    process.kill(left, 'SIGKILL')
    expect(await query((await second).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('creates the cluster again after a killed attempt', async () => {
    for (const name of ['postgres', 'postgres.making']) {
      mkdirSync(join(dataDir, name))
      writeFileSync(join(dataDir, name, 'half'), '')
    }
    const { url } = await start()
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('reports why it cannot start', async () => {
    const first = await start()
    const port = Number(new URL(first.url).port)
    const other = mkdtempSync(join(tmpdir(), 'postgres-test-'))
    const log = openRotatingLog(join(other, 'postgres.log'))
    await expect(startPostgres({ dataDir: other, port, log, guard })).rejects.toThrow(
      /PostgreSQL ended with status 1:[^]*could not bind/,
    )
    rmSync(other, { recursive: true })
  })
})
