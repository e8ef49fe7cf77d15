import { join } from 'node:path'
import { prepareAssets } from '../../player/server/assets/assets.ts'
import { prebuilt } from '../../processes/prebuilt.ts'

/** Bundles and compresses the player's scripts and styles into a file in `folder`, if it is not there; resolves to its path. */
export async function createPlayerAssets(folder: string): Promise<string> {
  await prebuilt(folder, 'player-assets', prepareAssets)
  return join(folder, 'player-assets')
}
