import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

/** Copies the files of the repository as they are now into the new folder `to`, with the packages of this one. */
export async function copySource(from: string, to: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { stdout } = await execa('git', args, { cwd: from })
  for (const file of stdout.split('\0').filter(Boolean)) {
    // One that was removed and not committed yet is listed too.
    await cp(join(from, file), join(to, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  await symlink(join(from, 'node_modules'), join(to, 'node_modules'))
}
