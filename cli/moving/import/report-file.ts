import { open, rename, rm } from 'node:fs/promises'
import { csvOf } from '../../../domain/csv.ts'

/**
 * Writes a file of lines that only this user can read, whole or not at all: a killed run leaves the former one, and two runs at once the file of one of
 * them. Follows no link.
 */
export async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.part`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      for (const line of lines) await file.appendFile(line)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** A former address and the one that took its place. */
export interface Redirect {
  oldUrl: string
  videoId: string
}

/** The lines of a redirect map. `embedUrl` returns the new address of a video. */
export function* redirectLines(
  redirects: Iterable<Redirect>,
  embedUrl: (videoId: string) => string,
): Generator<string> {
  yield csvOf([['old_url', 'new_url']])
  for (const { oldUrl, videoId } of redirects) yield csvOf([[oldUrl, embedUrl(videoId)]])
}
