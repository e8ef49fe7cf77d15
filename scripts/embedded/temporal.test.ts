import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Namespaces } from '../../temporal/names.ts'
import { ensureTemporalServer } from '../bootstrap/tools.mjs'
import { startGuard } from './guard.ts'
import { freePort } from './ports.ts'
import { openRotatingLog } from './rotating-log.ts'
import { startTemporal, type TemporalServer } from './temporal.ts'

const guard = startGuard()
let dataDir: string
let running: TemporalServer | null

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'temporal-test-'))
  running = null
})
afterEach(async () => {
  await running?.stop()
  rmSync(dataDir, { recursive: true })
})

const start = async (namespaces?: Namespaces) => {
  running = await startTemporal({
    program: await ensureTemporalServer(),
    dataDir,
    port: await freePort(),
    uiPort: await freePort(),
    log: openRotatingLog(join(dataDir, 'temporal.log')),
    guard,
    ...(namespaces && { namespaces }),
  })
  return running
}

const withClient = async <T>({ address }: TemporalServer, use: (client: Client) => Promise<T>) => {
  const connection = await Connection.connect({ address })
  try {
    return await use(new Client({ connection }))
  } finally {
    await connection.close()
  }
}

describe('the embedded Temporal server', () => {
  it('keeps workflows after kill -9, and adds the namespace of deliveries to the store of an earlier release', async () => {
    const first = await start({ main: 'default', deliveries: 'default' })
    await withClient(first, (client) =>
      client.workflow.start('waiting', { taskQueue: 'nobody', workflowId: 'kept' }),
    )
    process.kill(first.child.pid, 'SIGKILL')
    await first.child.ended
    const second = await start()
    await withClient(second, async (client) => {
      const { status } = await client.workflow.getHandle('kept').describe()
      expect(status.name).toBe('RUNNING')
      const connection = client.connection as Connection
      const keptDays = { default: 90, 'default-deliveries': 3 }
      for (const [namespace, days] of Object.entries(keptDays)) {
        const { customAttributes } = await connection.operatorService.listSearchAttributes({
          namespace,
        })
        expect(Object.keys(customAttributes)).toEqual(
          expect.arrayContaining(['AccountId', 'VideoId', 'VideoStatus']),
        )
        const { config } = await connection.workflowService.describeNamespace({ namespace })
        expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(days * 24 * 3600)
      }
    })
  })

  it('listens only on the loopback interface, including the Web UI', async () => {
    const { child } = await start()
    expect(await listeningOutside(child.pid)).toEqual([])
  })
})

/** Addresses other than loopback on which `pid` listens. */
async function listeningOutside(pid: number): Promise<string[]> {
  const { readFile, readdir, readlink } = await import('node:fs/promises')
  const links = (await readdir(`/proc/${pid}/fd`)).map((fd) =>
    readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''),
  )
  const own = new Set(await Promise.all(links))
  const LISTEN = '0A'
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')),
  )
  return tables
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTEN && own.has(`socket:[${fields[9]}]`))
    .map((fields) => fields[1] ?? '')
    .filter((address) => !address.startsWith('0100007F:'))
}
