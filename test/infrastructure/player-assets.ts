import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { prepareAssets } from '../../player/server/assets/assets.ts'

/** Bundles and compresses the scripts and styles of the player into a file in `dataDir`; resolves to its path. */
export async function createPlayerAssets(dataDir: string): Promise<string> {
  const path = join(dataDir, 'player-assets')
  await writeFile(path, serialize(await prepareAssets()))
  return path
}
