// node scripts/write-prebuilt.ts: bundles the workflows, the dashboard's app and the player's scripts while the container
// image is built, so that its processes start without compilers.
import { writeFileSync } from 'node:fs'
import { DefaultLogger } from '@temporalio/worker'
import { prepareWeb } from '../dashboard/server/web-files.ts'
import { prepareAssets } from '../player/server/assets/assets.ts'
import { writePrebuilt } from '../processes/prebuilt.ts'
import { WORKFLOW_BUNDLE_FILE, bundleWorkflows } from '../temporal/workflow-bundle.ts'

await writePrebuilt('dashboard-app', await prepareWeb())
await writePrebuilt('player-assets', await prepareAssets())
const { code } = await bundleWorkflows(new DefaultLogger('WARN'))
writeFileSync(WORKFLOW_BUNDLE_FILE, code)
