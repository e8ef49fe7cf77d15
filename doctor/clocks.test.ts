import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabaseFixture } from '../test/fixtures/database.ts'
import { closeServer } from '../test/infrastructure/close-server.ts'
import type { Installation } from './installation.ts'
import { checkClocks } from './services.ts'

type DatabaseFixture = Awaited<ReturnType<typeof openDatabaseFixture>>

let database: DatabaseFixture
let server: ReturnType<typeof createServer>
let player: string
/** How far the clock of each response is off, in turns. */
let offsetsMs = [0]

beforeAll(async () => {
  database = await openDatabaseFixture()
  let turn = 0
  server = createServer((_request, response) => {
    const offsetMs = offsetsMs[turn++ % offsetsMs.length] ?? 0
    response.setHeader('Date', new Date(Date.now() + offsetMs).toUTCString()).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  player = `http://127.0.0.1:${((server as Server).address() as AddressInfo).port}`
})
afterAll(async () => {
  await closeServer(server)
  await database.close()
})

const check = (): Promise<string> =>
  checkClocks({
    storage: null,
    runtime: { api: 'http://127.0.0.1:1', player, dashboard: player },
    entityManager: async () => database.em(),
  } as Partial<Installation> as Installation)

describe('the clocks', () => {
  it('are in step, without those of servers that do not run', async () => {
    offsetsMs = [0]
    expect(await check()).toBe('in step with the database and the player')
  })

  it('are not if one of several player hosts is off', async () => {
    offsetsMs = [0, 300_000]
    await expect(check()).rejects.toThrow(
      /this machine and the player are 29\d.* s apart: set them by NTP/,
    )
  })
})
