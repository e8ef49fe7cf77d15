import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker'

/** Bundles the workflows into a file in `dataDir`; resolves to its path. */
export async function createWorkflowBundle(dataDir: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  })
  const codePath = join(dataDir, 'workflow-bundle.js')
  writeFileSync(codePath, code)
  return codePath
}
