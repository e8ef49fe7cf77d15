import type { Logger } from 'pino'
import type { z } from 'zod'
import { listAnyFailingEndpoints, listFailedVideos } from '../../../db/accounts/operator.ts'
import type { EntityManager } from '../../../db/database.ts'
import { readDeliveryBacklog, readOutboxBacklog } from '../../../db/ingest/backlog.ts'
import { reasonOf } from '../../../processes/readiness.ts'
import { within } from '../../../processes/within.ts'
import {
  anyFailedVideoView,
  anyFailingEndpointView,
  backlogView,
  diskView,
  taskQueueView,
  type installationSchema,
  type Part,
} from '../../../views/operator/installation.ts'
import type { DashboardDeps } from '../deps.ts'

/** How long each part has to respond. */
const DEADLINE_MS = 2_500
const FAILED = { days: 7, limit: 20 }
const ENDPOINTS_MAX = 20

/** Reads a part within its time limit. A failure is a result too: its reason says what kind it is and no more. */
export async function readPart<T>(
  logger: Logger,
  part: string,
  read: () => Promise<T>,
): Promise<Part<T>> {
  try {
    return { reason: null, data: await within(DEADLINE_MS, read()) }
  } catch (error) {
    const reason = reasonOf(error)
    logger.warn({ err: error, part, reason }, 'a part of the page of operators is away')
    return { reason, data: null }
  }
}

/** Reads all parts at the same time. */
export async function readInstallation({
  db,
  installation,
  logger,
}: DashboardDeps): Promise<z.output<typeof installationSchema>> {
  const em = (): EntityManager => db.em.fork()
  const part = <T>(name: string, read: () => Promise<T>) => readPart(logger, name, read)
  const [processes, queues, backlogs, failed, endpoints, disks, versions] = await Promise.all([
    part('processes', installation.processes),
    part('task queues', async () => (await installation.taskQueues()).map(taskQueueView)),
    part('backlogs', async () => ({
      workflow_requests: backlogView(await readOutboxBacklog(em())),
      deliveries: backlogView(await readDeliveryBacklog(em())),
    })),
    part('failed videos', async () =>
      (await listFailedVideos(em(), FAILED)).map(anyFailedVideoView),
    ),
    part('failing endpoints', async () =>
      (await listAnyFailingEndpoints(em(), ENDPOINTS_MAX)).map(anyFailingEndpointView),
    ),
    part('disks', async () => (await installation.disks()).map(diskView)),
    part('versions', installation.versions),
  ])
  return {
    object: 'installation',
    processes,
    task_queues: queues,
    backlogs,
    failed_days: FAILED.days,
    failed_videos: failed,
    failing_endpoints: endpoints,
    disks,
    versions,
  }
}
