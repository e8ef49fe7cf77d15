import { proxyActivities } from '@temporalio/workflow'

const { nothing } = proxyActivities<{ nothing: () => Promise<void> }>({
  startToCloseTimeout: '40 seconds',
})

/** The least that durable work can be: one workflow with one empty activity. */
export async function anchor(): Promise<void> {
  await nothing()
}
