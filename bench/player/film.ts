import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeSource } from '../../test/fixtures/sources.ts'

/** Makes 24 s of 720p once; a later run finds it. Its segments are as large as the ladder allows. */
export async function ensureFilm(path: string): Promise<void> {
  if (existsSync(path)) return
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.part.mp4`
  await makeSource(unfinished, { seconds: 24, size: '1280x720' })
  await rename(unfinished, path)
}
