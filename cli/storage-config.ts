import { resolve } from 'node:path'
import type { StorageConfig } from '../storage/object-storage.ts'
import type { Context } from './context.ts'

/** The storage of the instance; its folder follows `--data-dir` unless STORAGE_DIR is set. */
export function storageConfig({ config, dataDir }: Context): StorageConfig {
  const { storage } = config
  const isDefault = storage.driver === 'folder' && config.STORAGE_DIR === undefined
  return isDefault ? { driver: 'folder', dir: resolve(dataDir, 'storage') } : storage
}
