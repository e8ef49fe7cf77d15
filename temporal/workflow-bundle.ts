import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'
import type { Logger, WorkflowBundleOption } from '@temporalio/worker'

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Only the container image has it: there the code cannot change, and its file system is read-only. */
export const WORKFLOW_BUNDLE_FILE = fileAt('../prebuilt/workflow-bundle.js')

/** Returns the workflows for a worker: those of the image, or bundled now. */
export const loadWorkflowBundle = async (logger: Logger): Promise<WorkflowBundleOption> =>
  existsSync(WORKFLOW_BUNDLE_FILE) ? { codePath: WORKFLOW_BUNDLE_FILE } : bundleWorkflows(logger)

/** Bundles the workflows with what they import. */
export const bundleWorkflows = (logger: Logger): ReturnType<typeof bundleWorkflowCode> =>
  bundleWorkflowCode({
    workflowsPath: fileAt('../workflows/index.ts'),
    workflowInterceptorModules: [fileAt('../workflows/pass-trace.ts')],
    logger,
  })
