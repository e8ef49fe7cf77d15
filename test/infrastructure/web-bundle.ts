import { join } from 'node:path'
import { prepareWeb } from '../../dashboard/server/web-files.ts'
import { prebuilt } from '../../processes/prebuilt.ts'

/** Bundles and compresses the app of the dashboard into a file in `folder`, if it is not there; resolves to its path. */
export async function createWebBundle(folder: string): Promise<string> {
  await prebuilt(folder, 'dashboard-app', prepareWeb)
  return join(folder, 'dashboard-app')
}
