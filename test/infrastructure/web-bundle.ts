import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { prepareWeb } from '../../dashboard/server/web-files.ts'

/** Bundles and compresses the app of the dashboard into a file in `dataDir`; resolves to its path. */
export async function createWebBundle(dataDir: string): Promise<string> {
  const path = join(dataDir, 'web-bundle')
  await writeFile(path, serialize(await prepareWeb()))
  return path
}
