import { createWriteStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Writes a new file that only this user can read. Throws the reason of `signal`, and what the disk throws. */
export const writePrivate = (
  path: string,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
  signal?: AbortSignal,
): Promise<void> =>
  pipeline(content, createWriteStream(path, { mode: 0o600 }), signal ? { signal } : {})

/** Gives a finished file its name, once its bytes are on the disk; it takes the place of an earlier one. */
export async function keep(temporary: string, path: string): Promise<void> {
  const file = await open(temporary, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
