import { join } from 'node:path'
import { DefaultLogger } from '@temporalio/worker'
import { keepBuilt } from '../../processes/prebuilt.ts'
import { loadWorkflowBundle, WORKFLOW_BUNDLE_NAME } from '../../temporal/workflow-bundle.ts'

/** Bundles the workflows into a file in `folder`, if it is not there; resolves to its path. */
export async function createWorkflowBundle(folder: string): Promise<string> {
  await loadWorkflowBundle(folder, new DefaultLogger('ERROR'), keepBuilt)
  return join(folder, WORKFLOW_BUNDLE_NAME)
}
