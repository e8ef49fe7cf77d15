import type { ObjectStorage } from '../../storage/object-storage.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { median } from '../load.ts'
import { openApiAccount, type ApiAccount } from './api-account.ts'
import { withFairnessService } from './fairness-service.ts'

const LINKS = 100
const DRIP_MS = 50_000
const ROUNDS = 5
/** Of the time on an idle service. */
const MOST_RATIO = 3
const START_MAX_MS = 120_000

/**
 * Measures how long a video and a deletion of one account take while a hundred links of another send one byte each 50 s,
 * compared with an idle service.
 */
export const benchSlowLinks = (): Promise<Figure[]> =>
  withFairnessService(async ({ service, host, storage }) => {
    const slow = await openApiAccount(service, 'Slow', `${host.baseUrl}/files/slow.mp4`)
    const other = await openApiAccount(service, 'Other', `${host.baseUrl}/files/tiny.mp4`)
    const running = host.drip('slow.mp4', DRIP_MS)
    // The first video of a process loads its programs.
    await timeBoth(other, storage)
    const idle = await timeRounds(other, storage)
    await slow.add(LINKS)
    await waitFor('the slow downloads', async () => running() > 1, START_MAX_MS)
    const loaded = await timeRounds(other, storage)
    return [
      asInformation('slow downloads that run', running(), 'downloads'),
      atMost(`a video beside ${LINKS} slow links`, loaded.ready, 's', {
        anchor: idle.ready,
        most: MOST_RATIO,
      }),
      atMost(`a deletion beside ${LINKS} slow links`, loaded.removed, 's', {
        anchor: idle.removed,
        most: MOST_RATIO,
      }),
    ]
  })

async function timeRounds(account: ApiAccount, storage: ObjectStorage) {
  const rounds: Times[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await timeBoth(account, storage))
  return {
    ready: median(rounds.map(({ ready }) => ready)),
    removed: median(rounds.map(({ removed }) => removed)),
  }
}

interface Times {
  /** Seconds until a new video is ready. */
  ready: number
  /** Seconds until nothing of it is stored any more. */
  removed: number
}

async function timeBoth(account: ApiAccount, storage: ObjectStorage): Promise<Times> {
  const startedAt = performance.now()
  const [id = ''] = await account.add(1)
  await account.untilReady([id])
  const readyAt = performance.now()
  await account.remove(id)
  await waitFor('the removal', async () => !(await hasObjects(storage, id)))
  const removedAt = performance.now()
  return { ready: (readyAt - startedAt) / 1000, removed: (removedAt - readyAt) / 1000 }
}

async function hasObjects(storage: ObjectStorage, id: string): Promise<boolean> {
  for await (const object of storage.list(`videos/${id}/`)) if (object) return true
  return false
}
