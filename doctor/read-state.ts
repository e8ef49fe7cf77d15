import { findMasterKeyHolders } from '../db/secrets/master-key-holders.ts'
import { readServerState } from '../db/upkeep/health.ts'
import { findLiveWorkers } from '../db/upkeep/worker-beats.ts'
import { VERSION } from '../processes/version.ts'
import type { TaskQueueState } from '../temporal/read-task-queues.ts'
import type { StepTrouble } from '../temporal/video-progress.ts'
import type { Finding } from './check.ts'
import { examine } from './examine.ts'
import type { Installation } from './installation.ts'
import type { DiskSpace } from './machine.ts'
import { temporalOnDemand } from './temporal-on-demand.ts'

/** A process that has lately reported that it runs. */
interface RunningProcess {
  /** Such as `player 71@host`. */
  name: string
  /** The task queues of a worker; empty for a server. */
  queues: string[]
}

/** What runs here, and the database behind it. The results of `doctor` have the others. */
interface Versions {
  reelgate: string
  node: string
  postgresql: string
}

/** What operators read of a running installation. Each read has its own time limit, and rejects if its part is away. */
export interface InstallationState {
  processes: () => Promise<RunningProcess[]>
  taskQueues: () => Promise<TaskQueueState[]>
  disks: () => Promise<DiskSpace[]>
  versions: () => Promise<Versions>
  /** The failing steps of a video. */
  stepTroubles: (videoId: string) => Promise<StepTrouble[]>
  /** The results of `doctor`. Calls within seconds share them, because some checks write. */
  examine: () => Promise<Finding[]>
  close: () => Promise<void>
}

const TEMPORAL_DEADLINE_MS = 2_000
const EXAMINED_KEPT_MS = 10_000

/** Opens nothing until it is read. */
export function openInstallationState(installation: Installation): InstallationState {
  const temporal = temporalOnDemand(installation)
  return {
    processes: () => readProcesses(installation),
    taskQueues: async () => {
      const { readTaskQueues } = await import('../temporal/read-task-queues.ts')
      return temporal.read(TEMPORAL_DEADLINE_MS, (client) =>
        readTaskQueues(client, installation.config.namespaces),
      )
    },
    disks: async () => (await import('./machine.ts')).measureDisks(installation),
    versions: () => readVersions(installation),
    stepTroubles: async (videoId) => {
      const { readStepTroubles } = await import('../temporal/video-progress.ts')
      const read = temporal.read(TEMPORAL_DEADLINE_MS, (client) =>
        readStepTroubles(client, videoId),
      )
      return read.catch(noneIfNotStarted)
    },
    examine: keptFor(EXAMINED_KEPT_MS, () => examine(installation)),
    close: () => temporal.close(),
  }
}

/** The relay has not started the workflow yet, or its history is deleted. */
function noneIfNotStarted(error: unknown): never[] {
  if (error instanceof Error && error.name === 'WorkflowNotFoundError') return []
  throw error
}

/** Returns a function whose calls within `keptMs` share one result. */
function keptFor<T>(keptMs: number, work: () => Promise<T>): () => Promise<T> {
  let last: { atMs: number; result: Promise<T> } | null = null
  return () => {
    if (last === null || performance.now() - last.atMs > keptMs)
      last = { atMs: performance.now(), result: work() }
    return last.result
  }
}

async function readProcesses(installation: Installation): Promise<RunningProcess[]> {
  const holders = await findMasterKeyHolders(await installation.entityManager())
  const workers = await findLiveWorkers(await installation.entityManager())
  return [
    ...holders
      .filter(({ process: name }) => !name.startsWith('worker '))
      .map(({ process: name }) => ({ name, queues: [] })),
    ...workers.map(({ worker, queues }) => ({ name: `worker ${worker}`, queues })),
  ]
}

async function readVersions(installation: Installation): Promise<Versions> {
  const { version: postgresql } = await readServerState(await installation.entityManager())
  return { reelgate: VERSION, node: process.versions.node, postgresql }
}
