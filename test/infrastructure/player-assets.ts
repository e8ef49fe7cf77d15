import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepareAssets } from '../../player/server/assets/assets.ts'
import { writePrebuilt } from '../../processes/prebuilt.ts'

/** Bundles and compresses the player's scripts and styles into a file in `folder`, if it is not there; resolves to its path. */
export async function createPlayerAssets(folder: string): Promise<string> {
  const path = join(folder, 'player-assets')
  return existsSync(path) ? path : writePrebuilt(folder, 'player-assets', await prepareAssets())
}
