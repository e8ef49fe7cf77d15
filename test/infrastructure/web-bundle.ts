import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepareWeb } from '../../dashboard/server/web-files.ts'
import { writePrebuilt } from '../../processes/prebuilt.ts'

/** Bundles and compresses the app of the dashboard into a file in `folder`, if it is not there; resolves to its path. */
export async function createWebBundle(folder: string): Promise<string> {
  const path = join(folder, 'dashboard-app')
  return existsSync(path) ? path : writePrebuilt(folder, 'dashboard-app', await prepareWeb())
}
