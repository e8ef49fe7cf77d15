import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../db/database.ts'
import { REQUEST_DEADLINES } from '../db/deadlines.ts'
import { pingDatabase } from '../db/upkeep/health.ts'
import { partReady } from '../metrics/process.ts'
import { freePort } from '../scripts/embedded/ports.ts'
import { createStorage } from '../storage/object-storage.ts'
import { openClient } from '../temporal/connect.ts'
import { followAlert } from '../test/infrastructure/follow-alert.ts'
import {
  createTestDatabase,
  s3Server,
  type TestBucket,
  type TestDatabase,
} from '../test/infrastructure/services.ts'
import {
  openSilentProxy,
  throughProxy,
  type SilentProxy,
} from '../test/infrastructure/silent-proxy.ts'
import { listen } from './listen.ts'
import { NotReadyError } from './readiness-error.ts'
import { reportReadiness, type Readiness, type ReadinessChecks } from './readiness.ts'

const DEADLINE_MS = 1_000
let folder: string
let bucket: TestBucket
let database: TestDatabase
let proxy: SilentProxy
let db: Database

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readiness-'))
  ;[bucket, database] = await Promise.all([s3Server(), createTestDatabase()])
  const { hostname, port } = new URL(database.url)
  proxy = await openSilentProxy({ host: hostname, port: Number(port) })
  const url = throughProxy(database.url, proxy)
  db = await openDatabase({ url, deadlines: REQUEST_DEADLINES })
})
afterAll(async () => {
  await db.close(true)
  await proxy.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Asks a process with these checks for its readiness. */
async function ask(
  checks: ReadinessChecks,
): Promise<{ status: number; retryAfter: string | null; body: Readiness; lines: string[] }> {
  const lines: string[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const options = { logger, deadlineMs: DEADLINE_MS, keptMs: 0 }
  const server = createServer(express().get('/readyz', reportReadiness(checks, options)))
  const address = { host: '127.0.0.1', port: await freePort() }
  await listen(server, address)
  const response = await fetch(`http://127.0.0.1:${address.port}/readyz`)
  const body = (await response.json()) as Readiness
  server.closeAllConnections()
  server.close()
  return {
    status: response.status,
    retryAfter: response.headers.get('Retry-After'),
    body,
    lines,
  }
}

/** The metric of readiness by part. */
async function readyParts(): Promise<Record<string, number>> {
  const { values } = await partReady.get()
  return Object.fromEntries(values.map(({ labels, value }) => [labels['part'], value]))
}

const storageAt = (change: Partial<TestBucket>) => () =>
  createStorage({ ...bucket, ...change }).check()
const folderAt = (dir: string) => () => createStorage({ driver: 'folder', dir }).check()

describe('GET /readyz', () => {
  it('is 200 while every part of the process responds', async () => {
    const { status, body } = await ask({
      database: () => pingDatabase(db.em.fork()),
      storage: storageAt({}),
      folder: folderAt(join(folder, 'not', 'yet', 'created')),
    })
    expect(body).toEqual({
      status: 'ok',
      parts: {
        database: { status: 'ok' },
        storage: { status: 'ok' },
        folder: { status: 'ok' },
        clock: { status: 'ok' },
      },
    })
    expect(status).toBe(200)
    expect(await readyParts()).toMatchObject({ database: 1, storage: 1, folder: 1 })
  })

  it('is 503 in time with a reason for each part that does not respond, which names nothing but the kind of failure', async () => {
    const closed = await freePort()
    await writeFile(join(folder, 'file'), '')
    const temporal = openClient({ address: `127.0.0.1:${closed}`, namespace: 'default' })
    proxy.fallSilent()
    const startedAtMs = performance.now()
    const { status, retryAfter, body, lines } = await ask({
      database: () => pingDatabase(db.em.fork()),
      away: storageAt({ endpoint: `http://127.0.0.1:${closed}` }),
      bucket: storageAt({ bucket: 'not-there' }),
      key: storageAt({ secretKey: 'wrong' }),
      folder: folderAt(join(folder, 'file', 'folder')),
      temporal: () =>
        temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
          temporal.workflowService.describeNamespace({ namespace: 'default' }),
        ),
      worker: () => Promise.reject(new NotReadyError('has not been reached yet')),
    }).finally(() => proxy.speak())
    await temporal.connection.close()
    const found = await followAlert('ReelgatePartAway', { worker: lines }, { PROCESS: 'worker' })
    expect(found.split('\n')).toHaveLength(3)
    expect(found).toMatch(/"part":"\w+","reason":"[^"]+"/)
    expect(performance.now() - startedAtMs).toBeLessThan(10 * DEADLINE_MS)
    const unavailable = (reason: string) => ({ status: 'unavailable', reason })
    expect(await readyParts()).toMatchObject({ storage: 1, database: 0, away: 0 })
    expect(body).toEqual({
      status: 'unavailable',
      parts: {
        database: unavailable('does not respond in time'),
        away: unavailable('cannot be reached'),
        bucket: unavailable('does not exist'),
        key: unavailable('refuses the access'),
        folder: unavailable('does not exist'),
        temporal: unavailable(
          expect.stringMatching(/^(cannot be reached|does not respond in time)$/) as never,
        ),
        worker: unavailable('has not been reached yet'),
        clock: { status: 'ok' },
      },
    })
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '5' })
    // The operator finds the error in the log.
    expect(lines.join()).toContain('ECONNREFUSED')
    expect(lines).toHaveLength(7)
  })
})
