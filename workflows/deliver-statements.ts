import { continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts'
import { STATEMENTS_PER_REQUEST, type DeliverStatementsInput } from '../domain/xapi/record-store.ts'

/**
 * A failed request is a result of the activity, not its failure. These retries are for internal errors (an unavailable database, a killed worker), and
 * send the same statements again, under the same ids.
 */
const { sendStatements } = proxyActivities<ReturnType<typeof createWebhookActivities>>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
})

/** Keeps a run's history below a thousand events; the next run continues. */
const REQUESTS_PER_RUN = 100

/**
 * Sends the statements that wait for the record store of an account, one request after the other, until none waits or one has failed. The row of the
 * record store says when the next request may follow; the upkeep that counts the audience then starts another workflow (ADR 0067).
 */
export async function deliverStatements(input: DeliverStatementsInput): Promise<void> {
  const { accountId } = input
  let { limit = STATEMENTS_PER_REQUEST } = input
  for (let request = 1; request <= REQUESTS_PER_RUN; request += 1) {
    const summary = `Send up to ${limit} statements`
    const priority = { fairnessKey: String(accountId) }
    const result = await sendStatements.executeWithOptions({ summary, priority }, [
      { accountId, limit },
    ])
    if (result.outcome === 'ended') return
    limit = result.limit
  }
  return continueAsNew<typeof deliverStatements>({ accountId, limit })
}
