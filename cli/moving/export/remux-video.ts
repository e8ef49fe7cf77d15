import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { findPublished } from '../../../db/videos/renditions.ts'
import { segmentKey } from '../../../domain/videos/media-paths.ts'
import type { Rendition } from '../../../domain/videos/rendition.ts'
import { inputArguments, runFfmpeg } from '../../../media/ffmpeg.ts'
import { MediaError } from '../../../media/media-error.ts'
import { decryptTrack } from '../../../media/package/decrypt-segment.ts'
import type { PackagerKey } from '../../../media/package/packager.ts'
import { openPackagerKeys } from '../../packager-keys.ts'
import type { ExportRun } from './run.ts'
import { threeLetters } from './three-letters.ts'

/**
 * Writes the largest rendition of a video with all its audio tracks, decrypted, to one MP4. Nothing is encoded again. Throws a MediaError if
 * it cannot be decrypted, and what the storage throws.
 */
export async function remuxVideo(run: ExportRun, videoId: string, path: string): Promise<void> {
  const em = await run.entityManager()
  const renditions = await findPublished(em, videoId)
  const tracks = bestTracks(renditions)
  const keys = await openPackagerKeys(em, run.masterKeys, videoId)
  const decrypted: string[] = []
  try {
    for (const track of tracks) {
      const key = keys.get(track.trackType)
      if (!key) throw new MediaError('verification_failed', `There is no key for ${track.name}.`)
      decrypted.push(await decryptRendition(run, videoId, track, key))
    }
    await joinTracks(run, tracks, decrypted, path)
  } finally {
    for (const file of decrypted) await rm(file, { force: true })
  }
}

/** The largest picture first, then the audio tracks with the main one in front. */
function bestTracks(renditions: readonly Rendition[]): Rendition[] {
  const pixels = ({ width, height }: Rendition): number => (width ?? 0) * (height ?? 0)
  const [picture] = renditions
    .filter(({ kind }) => kind === 'video')
    .toSorted((one, other) => pixels(other) - pixels(one))
  if (!picture) throw new MediaError('verification_failed', 'The video has no rendition.')
  const audio = renditions
    .filter(({ kind }) => kind === 'audio')
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
  return [picture, ...audio]
}

async function decryptRendition(
  { storage, folder, work }: ExportRun,
  videoId: string,
  rendition: Rendition,
  key: PackagerKey,
): Promise<string> {
  const outputDir = join(folder.work, 'tracks')
  const encrypted = join(outputDir, `${videoId}-${rendition.name}-encrypted.mp4`)
  const decrypted = join(outputDir, `${videoId}-${rendition.name}.mp4`)
  const segments = async function* (): AsyncGenerator<Buffer> {
    for (let number = 0; number <= rendition.segments.length; number += 1)
      yield* (await storage.get(segmentKey(videoId, rendition, number))).stream
  }
  try {
    await pipeline(segments, createWriteStream(encrypted, { mode: 0o600 }))
    await decryptTrack({ kind: rendition.kind, key, encrypted, decrypted, outputDir }, work)
  } finally {
    await rm(encrypted, { force: true })
  }
  return decrypted
}

async function joinTracks(
  { work }: ExportRun,
  tracks: readonly Rendition[],
  files: readonly string[],
  path: string,
): Promise<void> {
  const audio = tracks.slice(1)
  const args = [
    files.flatMap(inputArguments),
    files.flatMap((_, index) => ['-map', `${index}:0`]),
    ['-c', 'copy', '-map_metadata', '-1', '-fflags', '+bitexact', '-movflags', '+faststart'],
    audio.flatMap(({ language, label }, index) => [
      ...(language === null
        ? []
        : [`-metadata:s:a:${index}`, `language=${threeLetters(language)}`]),
      ...(label === null ? [] : [`-metadata:s:a:${index}`, `title=${label}`]),
    ]),
    ['-f', 'mp4', path],
  ].flat()
  const { exitCode } = await runFfmpeg(args, work)
  if (exitCode !== 0)
    throw new MediaError('verification_failed', 'The tracks could not be joined to one file.')
}
