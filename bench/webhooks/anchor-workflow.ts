import { proxyActivities } from '@temporalio/workflow'

const { nothing } = proxyActivities<{ nothing: () => Promise<void> }>({
  startToCloseTimeout: '40 seconds',
})

/** The smallest durable work: a workflow with one empty activity. */
export async function anchor(): Promise<void> {
  await nothing()
}
