import { mkdir, statfs } from 'node:fs/promises'
import { diskFree, diskSize } from '../../metrics/process.ts'
import type { Collection } from './collector.ts'

/** Reads the free space of folders, by their label. */
export const diskSpace = (folders: Readonly<Record<string, string>>): Collection => ({
  name: 'disk',
  gauges: [diskFree, diskSize],
  read: async () => {
    const samples = Object.entries(folders).map(async ([folder, path]) => {
      // The folder of the storage is created with its first object.
      await mkdir(path, { recursive: true })
      const { bavail, blocks, bsize } = await statfs(path)
      return [
        { gauge: diskFree, labels: { folder }, value: bavail * bsize },
        { gauge: diskSize, labels: { folder }, value: blocks * bsize },
      ]
    })
    return (await Promise.all(samples)).flat()
  },
})
