// node scripts/write-workflow-bundle.ts: bundles the workflows while the container image is built.
import { writeFileSync } from 'node:fs'
import { DefaultLogger } from '@temporalio/worker'
import { WORKFLOW_BUNDLE_FILE, bundleWorkflows } from '../temporal/workflow-bundle.ts'

const { code } = await bundleWorkflows(new DefaultLogger('WARN'))
writeFileSync(WORKFLOW_BUNDLE_FILE, code)
