import { prepareWeb } from '../../dashboard/server/web-files.ts'
import { writePrebuilt } from '../../processes/prebuilt.ts'

/** Bundles and compresses the app of the dashboard into a file in `folder`; resolves to its path. */
export const createWebBundle = async (folder: string): Promise<string> =>
  writePrebuilt(folder, 'dashboard-app', await prepareWeb())
