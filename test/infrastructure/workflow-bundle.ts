import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DefaultLogger } from '@temporalio/worker'
import { writeWhole } from '../../processes/prebuilt.ts'
import { WORKFLOW_BUNDLE_NAME, bundleWorkflows } from '../../temporal/workflow-bundle.ts'

/** Bundles the workflows into a file in `folder`, if it is not there; resolves to its path. */
export async function createWorkflowBundle(folder: string): Promise<string> {
  const path = join(folder, WORKFLOW_BUNDLE_NAME)
  if (existsSync(path)) return path
  const { code } = await bundleWorkflows(new DefaultLogger('ERROR'))
  return writeWhole(folder, WORKFLOW_BUNDLE_NAME, code)
}
