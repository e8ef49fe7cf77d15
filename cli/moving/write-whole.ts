import { open, rename, rm } from 'node:fs/promises'

/**
 * Writes a file that only this user can read, whole or not at all: a killed run leaves the former one, and two runs at once the file of one of
 * them. Follows no link. A content of several texts is written one after the other.
 */
export async function writeWhole(
  path: string,
  content: Uint8Array | string | Iterable<string>,
): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.part`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}
