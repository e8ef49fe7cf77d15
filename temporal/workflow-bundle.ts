import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type Logger, type WorkflowBundleOption } from '@temporalio/worker'

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The name of the bundled workflows in PREBUILT_DIR. */
export const WORKFLOW_BUNDLE_NAME = 'workflow-bundle.js'

/** Returns the workflows for a worker: those in `folder` (PREBUILT_DIR), or bundled now; then `keep` gets their code. */
export async function loadWorkflowBundle(
  folder: string,
  logger: Logger,
  keep: (folder: string, name: string, code: string) => Promise<void>,
): Promise<WorkflowBundleOption> {
  const codePath = join(folder, WORKFLOW_BUNDLE_NAME)
  if (existsSync(codePath)) return { codePath }
  const bundle = await bundleWorkflows(logger)
  await keep(folder, WORKFLOW_BUNDLE_NAME, bundle.code)
  return bundle
}

/** Bundles the workflows with what they import. */
export const bundleWorkflows = (logger: Logger): ReturnType<typeof bundleWorkflowCode> =>
  bundleWorkflowCode({
    workflowsPath: fileAt('../workflows/index.ts'),
    workflowInterceptorModules: [
      fileAt('../workflows/pass-trace.ts'),
      fileAt('../workflows/log-failures.ts'),
    ],
    logger,
  })
