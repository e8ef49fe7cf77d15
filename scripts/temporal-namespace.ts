import { isGrpcServiceError, type Client } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { FAILED_KEPT_DAYS } from '../domain/limits.ts'
import { openClient } from '../temporal/connect.ts'
import { ensureSearchAttributes } from '../temporal/prepare-temporal.ts'

/** Closed workflows stay readable for as long as a failed delivery is kept. */
const RETENTION = msToTs(FAILED_KEPT_DAYS * 24 * 3_600_000)
const ALREADY_EXISTS = 6

/** Registers the namespace unless it exists. */
export async function ensureNamespace(client: Client, namespace: string): Promise<void> {
  try {
    await client.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: RETENTION,
    })
  } catch (error) {
    if (!isGrpcServiceError(error) || Number(error.code) !== ALREADY_EXISTS) throw error
  }
}

/**
 * Sets the retention of the embedded server's namespace and adds the search attributes that it lacks;
 * the database file may be from an older version. Throws if the server does not respond within
 * `deadlineMs`.
 */
export async function prepareEmbeddedNamespace(address: string, deadlineMs: number): Promise<void> {
  const namespace = 'default'
  const client = openClient({ address, namespace })
  try {
    await client.withDeadline(Date.now() + deadlineMs, async () => {
      await ensureSearchAttributes(client)
      await client.workflowService.updateNamespace({
        namespace,
        config: { workflowExecutionRetentionTtl: RETENTION },
      })
    })
  } finally {
    await client.connection.close()
  }
}
