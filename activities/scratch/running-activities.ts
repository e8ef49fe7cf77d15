import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ActivityNotFoundError, AsyncCompletionClient, type Client } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { Logger } from 'pino'

/** The folder, in that of a worker, with a file for each activity that it runs. */
const RUNNING = 'activities'

/** What a file says of its activity. */
interface Running {
  namespace: string
  /** By which an attempt is ended, in Base64. */
  taskToken: string
}

/**
 * Keeps a file for each activity of a worker while it runs, so that the next worker can end those of one that was killed. An activity
 * without its file is repeated after its timeout instead. Local activities need none: they end with the task of their workflow.
 */
export const noteRunning =
  (ownDir: string): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      async execute(input, next) {
        if (info.isLocal) return next(input)
        const path = join(ownDir, RUNNING, randomUUID())
        const { activityNamespace: namespace, base64TaskToken: taskToken } = info
        await write(path, { namespace, taskToken }).catch(() => {})
        try {
          return await next(input)
        } finally {
          await rm(path, { force: true }).catch(() => {})
        }
      },
    },
  })

async function write(path: string, running: Running): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  await writeFile(path, JSON.stringify(running), { mode: 0o600 })
}

/**
 * Fails the attempts that a worker which has ended did not end, so that they are repeated now and not after their timeouts. One that has
 * ended meanwhile stays as it is. Returns how many attempts it failed.
 */
export async function failRunning(
  { client, logger }: { client: Client; logger: Logger },
  workerDir: string,
): Promise<number> {
  const folder = join(workerDir, RUNNING)
  let failed = 0
  for (const name of await readdir(folder).catch(() => []))
    try {
      const text = await readFile(join(folder, name), 'utf8')
      if (await failOne(client, JSON.parse(text) as Running)) failed += 1
    } catch (error) {
      logger.warn({ err: error }, 'an activity of a worker that has ended waits for its timeout')
    }
  return failed
}

async function failOne(client: Client, { namespace, taskToken }: Running): Promise<boolean> {
  const activities = new AsyncCompletionClient({ connection: client.connection, namespace })
  try {
    const failure = ApplicationFailure.retryable('the worker has ended', 'worker_ended')
    await activities.fail(Buffer.from(taskToken, 'base64'), failure)
    return true
  } catch (error) {
    if (error instanceof ActivityNotFoundError) return false
    throw error
  }
}
