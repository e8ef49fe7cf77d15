// node scripts/write-prebuilt.ts: bundles the workflows, the dashboard's app and the player's scripts while the container
// image is built, so that its processes start without compilers.
import { DefaultLogger } from '@temporalio/worker'
import { loadConfig } from '../config/config.ts'
import { prepareWeb } from '../dashboard/server/web-files.ts'
import { prepareAssets } from '../player/server/assets/assets.ts'
import { writePrebuilt, writeWhole } from '../processes/prebuilt.ts'
import { bundleWorkflows, WORKFLOW_BUNDLE_NAME } from '../temporal/workflow-bundle.ts'

const { PREBUILT_DIR: folder } = loadConfig()
await writePrebuilt(folder, 'dashboard-app', await prepareWeb())
await writePrebuilt(folder, 'player-assets', await prepareAssets())
const { code } = await bundleWorkflows(new DefaultLogger('WARN'))
await writeWhole(folder, WORKFLOW_BUNDLE_NAME, code)
