import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DefaultLogger } from '@temporalio/worker'
import { bundleWorkflows } from '../../temporal/workflow-bundle.ts'

/** Bundles the workflows into a file in `dataDir`; resolves to its path. */
export async function createWorkflowBundle(dataDir: string): Promise<string> {
  const { code } = await bundleWorkflows(new DefaultLogger('ERROR'))
  const codePath = join(dataDir, 'workflow-bundle.js')
  writeFileSync(codePath, code)
  return codePath
}
