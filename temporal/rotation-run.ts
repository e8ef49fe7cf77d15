import { WorkflowFailedError, WorkflowNotFoundError, type Client } from '@temporalio/client'
import { ROTATION_WORKFLOW_ID } from '../domain/workflow-ids.ts'

/** The latest rotation of the master key. */
export interface RotationRun {
  /** As Temporal names it, in lowercase: `running`, `completed`, `failed`, `terminated` and others. */
  status: string
  /** Why it failed; null if it did not. */
  error: string | null
}

/** Reads the latest rotation; null if none is known any more. Throws if Temporal does not respond. */
export async function readRotationRun(client: Client): Promise<RotationRun | null> {
  const handle = client.workflow.getHandle(ROTATION_WORKFLOW_ID)
  try {
    const { status } = await handle.describe()
    const error = status.name === 'FAILED' ? await failureMessage(() => handle.result()) : null
    return { status: status.name.toLowerCase(), error }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null
    throw error
  }
}

/** The innermost message of a failed workflow, which is that of the step that failed. */
async function failureMessage(result: () => Promise<unknown>): Promise<string | null> {
  try {
    await result()
    return null
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    let cause: Error = error
    while (cause.cause instanceof Error) cause = cause.cause
    return cause.message
  }
}
