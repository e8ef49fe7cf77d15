import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createStorage } from './object-storage.ts'

it('keeps nothing of a copy that fails, which a full disk would have no room for', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'reelgate-parts-'))
  const [temporary, key] = [join(dir, '.tmp'), 'sources/one/source']
  try {
    await mkdir(temporary)
    // It opens, and each read of its beginning fails.
    const id = 'sources+one+source+begun'
    await symlink('/proc/self/mem', join(temporary, id))
    const { partial } = createStorage({ driver: 'folder', dir })
    const copying = partial.resume(key, id, { sizeBytes: 1, mayWrite: true })
    await expect(copying).rejects.toThrow('EIO')
    expect(await readdir(temporary)).toEqual([id])
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
