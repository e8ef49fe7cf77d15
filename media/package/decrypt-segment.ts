import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inputArguments } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import { runTool, type MediaWork } from '../run-tool.ts'
import { keyFlag, runPackager, type PackagerKey } from './packager.ts'

export interface EncryptedSegments {
  kind: 'video' | 'audio'
  initPath: string
  segmentPaths: string[]
  key: PackagerKey
}

/**
 * Decrypts segments of one track with the packager into one file of `folder`, awaits `use` of it and removes it.
 * Throws MediaError `verification_failed` if the packager refuses them.
 */
async function withDecrypted<T>(
  folder: string,
  { kind, initPath, segmentPaths, key }: EncryptedSegments,
  work: MediaWork,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const encrypted = join(folder, `verify-${crypto.randomUUID()}.mp4`)
  const decrypted = join(folder, `verify-${crypto.randomUUID()}.mp4`)
  try {
    // No copy of the file: that keeps its mode, and the pool of a backup is read-only.
    await writeFile(encrypted, await readFile(initPath))
    for (const path of segmentPaths) await appendFile(encrypted, await readFile(path))
    await decryptTrack({ kind, key, encrypted, decrypted, outputDir: folder }, work)
    return await use(decrypted)
  } finally {
    await rm(encrypted, { force: true })
    await rm(decrypted, { force: true })
  }
}

/** A track in one file: its initialisation segment, and media segments behind it. */
interface EncryptedTrack {
  kind: 'video' | 'audio'
  key: PackagerKey
  encrypted: string
  /** The path of the MP4 that is made, in `outputDir`. */
  decrypted: string
  outputDir: string
}

/** Decrypts a track with the packager. Throws MediaError `verification_failed` if the packager refuses it. */
export async function decryptTrack(
  { kind, key, encrypted, decrypted, outputDir }: EncryptedTrack,
  work: MediaWork,
): Promise<void> {
  const stream = `in=${encrypted},stream=${kind},output=${decrypted}`
  const secret = ['--enable_raw_key_decryption', keyFlag(key)]
  const { exitCode } = await runPackager([stream], secret, { ...work, outputDir })
  if (exitCode !== 0) throw undecryptable()
}

/**
 * Decrypts segments and decodes every frame of them. Encryption in MP4 has no checksum, so with a wrong key only the
 * decoder notices. Throws MediaError `verification_failed`.
 */
export const decodeSegments = (
  folder: string,
  segments: EncryptedSegments,
  work: MediaWork,
): Promise<void> =>
  withDecrypted(folder, segments, work, async (path) => {
    const strict = ['-v', 'error', '-nostdin', '-xerror', '-err_detect', 'explode']
    const args = [...strict, ...inputArguments(path), '-f', 'null', '-']
    const { exitCode, stderr } = await runTool('ffmpeg', args, work)
    if (exitCode !== 0 || stderr.trim() !== '') throw undecryptable()
  })

const undecryptable = (): MediaError =>
  new MediaError('verification_failed', 'A segment does not decrypt to a picture or audio.')
