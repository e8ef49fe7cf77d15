import { prepareAssets } from '../../player/server/assets/assets.ts'
import { writePrebuilt } from '../../processes/prebuilt.ts'

/** Bundles and compresses the scripts and styles of the player into a file in `folder`; resolves to its path. */
export const createPlayerAssets = async (folder: string): Promise<string> =>
  writePrebuilt(folder, 'player-assets', await prepareAssets())
