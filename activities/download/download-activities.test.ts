import type { ServerResponse } from 'node:http'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { IngestVideoInput } from '../../domain/ingest/ingest.ts'
import { openIngestFixture, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { createDownloadActivities } from './download-activities.ts'

const SLOTS = 12
/** A third of the slots. */
const SHARE = 4
const HEADERS = { 'content-type': 'video/mp4', 'content-length': 1000 }

let fixture: IngestFixture
let base: string
/** Responses that have sent one byte. */
let dripping: ServerResponse[] = []

beforeAll(async () => {
  fixture = await openIngestFixture()
  fixture.network.dns.set('source.test', ['127.0.0.1'])
  const { port } = await fixture.network.serveHttps(['source.test'], (request, response) => {
    response.writeHead(200, HEADERS)
    if (request.method === 'HEAD') return response.end()
    if (request.url === '/whole') return response.end(Buffer.alloc(1000))
    response.write('x')
    dripping.push(response)
  })
  base = `https://source.test:${port}`
})

afterAll(() => fixture.close())

const addVideo = async (path: string, accountId: number): Promise<IngestVideoInput> => {
  const { videoId } = await fixture.addVideo({ sourceUrl: base + path })
  return { videoId, accountId }
}

it('leaves slots to other accounts while all links of one account drip', async () => {
  const { downloadSource } = createDownloadActivities(fixture.deps, SLOTS)
  const environments = Array.from({ length: SHARE }, () => new MockActivityEnvironment())
  const inputs = await Promise.all(environments.map(() => addVideo('/drips', 1)))
  const slow = environments.map((environment, index) =>
    environment.run(downloadSource, inputs[index]!),
  )
  const settled = Promise.allSettled(slow)
  await waitFor('the slow downloads', async () => dripping.length === SHARE)

  const run = (input: IngestVideoInput) => new MockActivityEnvironment().run(downloadSource, input)
  const refused = run(await addVideo('/whole', 1))
  await expect(refused).rejects.toMatchObject({ type: 'DownloadsBusy', nonRetryable: false })
  for (const accountId of [2, 3])
    expect(await run(await addVideo('/whole', accountId))).toMatchObject({ ok: true })

  for (const environment of environments) environment.cancel()
  await settled
  expect(await run(await addVideo('/whole', 1))).toMatchObject({ ok: true })
})
