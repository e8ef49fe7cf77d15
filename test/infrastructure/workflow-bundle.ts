import { DefaultLogger } from '@temporalio/worker'
import { writeWhole } from '../../processes/prebuilt.ts'
import { WORKFLOW_BUNDLE_NAME, bundleWorkflows } from '../../temporal/workflow-bundle.ts'

/** Bundles the workflows into a file in `folder`; resolves to its path. */
export async function createWorkflowBundle(folder: string): Promise<string> {
  const { code } = await bundleWorkflows(new DefaultLogger('ERROR'))
  return writeWhole(folder, WORKFLOW_BUNDLE_NAME, code)
}
