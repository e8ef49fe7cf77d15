import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'
import type { Logger, WorkflowBundleOption } from '@temporalio/worker'

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The name of the bundled workflows in PREBUILT_DIR. */
export const WORKFLOW_BUNDLE_NAME = 'workflow-bundle.js'

/** Returns the workflows for a worker: those in `folder` (PREBUILT_DIR), or bundled now. */
export async function loadWorkflowBundle(
  folder: string,
  logger: Logger,
): Promise<WorkflowBundleOption> {
  const codePath = join(folder, WORKFLOW_BUNDLE_NAME)
  return existsSync(codePath) ? { codePath } : bundleWorkflows(logger)
}

/** Bundles the workflows with what they import. */
export const bundleWorkflows = (logger: Logger): ReturnType<typeof bundleWorkflowCode> =>
  bundleWorkflowCode({
    workflowsPath: fileAt('../workflows/index.ts'),
    workflowInterceptorModules: [fileAt('../workflows/pass-trace.ts')],
    logger,
  })
