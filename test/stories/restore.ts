import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { openClient } from '../../temporal/connect.ts'
import { SWEEP_SCHEDULE_ID } from '../../temporal/names.ts'
import { createAccountFixture } from '../fixtures/account.ts'
import { asAccount, startService, type RunningService } from '../fixtures/running-service.ts'
import type { ServiceRecord } from '../fixtures/service-record.ts'
import { readStatus, READY_MS, untilReady } from '../fixtures/video-status.ts'
import { HAS_EVERY_CASE } from '../infrastructure/every-case.ts'
import type { OutsideHost } from '../infrastructure/outside-host.ts'
import { waitFor } from '../infrastructure/wait-for.ts'

/** The installation whose backup is restored, before it is lost. */
interface LostInstallation {
  service: RunningService
  /** The story closes it. */
  record: ServiceRecord
  /** The settings that both installations start with. */
  env: Record<string, string>
  outside: OutsideHost
  folder: string
  /** Names of files of the host. The encoder of `short` can be found; `held` is not sent until `release`. */
  files: { quick: string; short: string; held: string }
  release: () => void
}

interface RestoreOptions {
  lost: () => Promise<LostInstallation>
  /** Called with the restored installation, which the caller stops. */
  onRestored: (service: RunningService) => void
}

interface Delivery {
  id: number
  event_id: string
  event_type: string
  status: string
  attempts: { number: number }[]
}

/** With the key of an own account: first the service that is lost after its backup, and then the restored one. */
let service: RunningService
let quick: string
/** The videos that were being ingested during the backup. */
let unfinished: string[]
/** The deliveries that were pending during the backup, by event. */
let pending: Delivery[]

const submit = async ({ outside }: LostInstallation, file: string): Promise<string> => {
  const source_url = `${outside.baseUrl}/files/${file}`
  const response = await service.request('POST', '/v1/videos', { source_url })
  return ((await response.json()) as { id: string }).id
}

const listDeliveries = async (): Promise<Delivery[]> => {
  const response = await service.request('GET', '/v1/webhook-deliveries?limit=100')
  return ((await response.json()) as { data: Delivery[] }).data
}

/** Backs an installation up with its work in flight, loses it, and restores it. */
async function backUpAndRestore(lost: LostInstallation): Promise<RunningService> {
  const { record, folder, outside, release } = lost
  const account = await createAccountFixture(record.db, record.masterKeys)
  service = asAccount(lost.service, account)
  await fillAndBackUp(lost)
  await record.close()
  await service.stop()
  outside.respondWith(200)
  release()
  await mkdir(join(folder, 'new'))
  await copyFile(join(service.data_dir, 'master.key'), join(folder, 'new', 'master.key'))
  await rm(service.data_dir, { recursive: true })
  const options = ['--restore', join(folder, 'backups')]
  const restored = await startService(join(folder, 'new'), lost.env, options)
  service = asAccount(restored, account)
  await sweepNow()
  return restored
}

/** A backup during a download and an encode, and while each webhook of another video waits for its second attempt. */
async function fillAndBackUp(lost: LostInstallation): Promise<void> {
  const { outside, files, folder } = lost
  outside.respondWith(500)
  const body = { url: `${outside.baseUrl}/hook`, events: ['video.created', 'video.ready'] }
  expect((await service.request('POST', '/v1/webhook-endpoints', body)).status).toBe(201)
  quick = await submit(lost, files.quick)
  await untilReady(service, quick)
  unfinished = [await submit(lost, files.short), await submit(lost, files.held)]
  const encoder = /ffmpeg .*libx264/
  const resume = await waitFor('an encoder', async () => service.freezeChild(encoder), READY_MS)
  await waitFor('first attempts', async () =>
    (await listDeliveries()).every(({ attempts }) => attempts.length === 1),
  )
  pending = await listDeliveries()
  await service.cli('backup', join(folder, 'backups'))
  resume()
}

/** Runs the sweep that otherwise runs once a minute. */
async function sweepNow(): Promise<void> {
  const client = openClient({ address: service.temporal, namespace: 'default' })
  try {
    await waitFor('the schedule', () =>
      client.schedule
        .getHandle(SWEEP_SCHEDULE_ID)
        .trigger()
        .then(
          () => true,
          () => false,
        ),
    )
  } finally {
    await client.connection.close()
  }
}

/** The stories of a backup that is made of an installation with work in flight, and restored. */
export const describeRestore = ({ lost, onRestored }: RestoreOptions): void => {
  describe.runIf(HAS_EVERY_CASE)('a backup that is restored without the store of Temporal', () => {
    let folder: string

    beforeAll(async () => {
      const installation = await lost()
      folder = installation.folder
      onRestored(await backUpAndRestore(installation))
    }, 900_000)

    it('was made while videos were ingested', async () => {
      const [name = ''] = await readdir(join(folder, 'backups', 'backups'))
      const file = join(folder, 'backups', 'backups', name, 'database', 'video.copy.gz')
      const rows = gunzipSync(await readFile(file))
        .toString()
        .split('\n')
      const inWork = rows.filter((row) => /\t(queued|processing|playable)\t/.test(row))
      for (const id of unfinished) expect(inWork.some((row) => row.includes(id))).toBe(true)
    })

    it('finishes every ingest', async () => {
      expect(await readStatus(service, quick)).toBe('ready')
      for (const id of unfinished) await untilReady(service, id)
    }, 900_000)

    it('makes every delivery, from the attempt on that was next', async () => {
      const deliveries = await waitFor(
        'the deliveries',
        async () => {
          const all = await listDeliveries()
          return all.every(({ status }) => status === 'delivered') && all
        },
        READY_MS,
      )
      for (const { attempts } of deliveries)
        expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, at) => at + 1))
      for (const { event_id: event } of pending) {
        const delivered = deliveries.find(({ event_id: id }) => id === event)
        expect(delivered?.attempts).toHaveLength(2)
      }
      const of = (type: string) => deliveries.filter(({ event_type: one }) => one === type)
      expect(of('video.created')).toHaveLength(3)
      expect(of('video.ready')).toHaveLength(3)
    }, 900_000)
  })
}
