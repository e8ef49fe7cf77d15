import { ReelgateError, type Reelgate } from '../../../sdk/src/index.ts'
import type { Patience } from './patience.ts'

/** Finds the ids of folders by name, and makes those that there are not. */
export interface FolderIds {
  idOf: (name: string) => Promise<number>
}

/** Creates one. The folders of the account are read once, when the first one is wanted. */
export function createFolderIds(
  reelgate: Reelgate,
  patiently: Patience,
  signal: AbortSignal,
): FolderIds {
  const ids = new Map<string, Promise<number>>()
  let existing: Promise<Map<string, number>> | undefined
  const readAll = async (): Promise<Map<string, number>> => {
    const found = new Map<string, number>()
    for await (const { name, id } of reelgate.folders.listAll({}, { signal })) found.set(name, id)
    return found
  }
  const find = async (name: string): Promise<number> => {
    const known = (await (existing ??= patiently(readAll))).get(name)
    if (known !== undefined) return known
    try {
      return (await patiently(() => reelgate.folders.create({ name }, { signal }))).id
    } catch (error) {
      // Another run has made it meanwhile.
      const isThere = error instanceof ReelgateError && error.code === 'folder_exists'
      const id = isThere ? (await patiently(readAll)).get(name) : undefined
      if (id === undefined) throw error
      return id
    }
  }
  return {
    idOf(name) {
      const finding = ids.get(name) ?? find(name)
      ids.set(name, finding)
      // The next line with this folder asks again.
      finding.catch(() => ids.delete(name))
      return finding
    },
  }
}
