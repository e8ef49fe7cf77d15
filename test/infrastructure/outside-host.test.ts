import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleOf } from '../../views/webhooks/event-type.ts'
import { openOutsideHost } from './outside-host.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-outside-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Opens a host, posts `event` to it, closes the host. */
async function receiveOne(event: object): Promise<void> {
  const host = await openOutsideHost(folder, {})
  const dispatcher = new Agent({ connect: { ca: await readFile(host.caFile, 'utf8') } })
  const body = JSON.stringify(event)
  const response = await request(`${host.baseUrl}/hook`, { method: 'POST', body, dispatcher })
  expect(response.statusCode).toBe(200)
  await response.body.dump()
  await dispatcher.close()
  await host.close()
}

describe('the outside host', () => {
  it('accepts the events of the catalog', () => receiveOne(exampleOf('video.ready')))

  it('rejects the close of a host that received anything else', async () => {
    const data = { ...exampleOf('video.ready').data, title: 'A field that no schema has' }
    await expect(receiveOne({ ...exampleOf('video.ready'), data })).rejects.toThrow(
      'no event that an integrator could expect',
    )
  })
})
