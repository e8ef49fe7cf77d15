import { FAILED_KEPT_DAYS } from '../../domain/limits.ts'
import { openClient } from '../../temporal/connect.ts'
import { ensureSearchAttributes } from '../../temporal/prepare-temporal.ts'

const NAMESPACE = 'default'
// As long as the record of a delivery is kept; what is kept for less is deleted by the retention.
const RETENTION_SECONDS = FAILED_KEPT_DAYS * 24 * 3600

/**
 * Gives the namespace of the embedded server the search attributes that it lacks, on a database
 * file of an older version too, and its retention. Throws while the server does not answer,
 * within `deadlineMs`.
 */
export async function prepareNamespace(address: string, deadlineMs: number): Promise<void> {
  const client = openClient({ address, namespace: NAMESPACE })
  try {
    await client.withDeadline(Date.now() + deadlineMs, async () => {
      await ensureSearchAttributes(client)
      await client.workflowService.updateNamespace({
        namespace: NAMESPACE,
        config: { workflowExecutionRetentionTtl: { seconds: RETENTION_SECONDS as never } },
      })
    })
  } finally {
    await client.connection.close()
  }
}
