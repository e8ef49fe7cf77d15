import { basename, dirname, resolve } from 'node:path'
import { parseManifestLine } from '../../../domain/moving/parse-line.ts'
import { isNamedVideo, isOfSystem } from '../../../domain/uploads/video-names.ts'
import { titleFromFilename } from '../../../domain/videos/video-title.ts'
import { compareNames } from '../../compare-names.ts'
import { CliError } from '../../errors.ts'
import type { BucketAddress, LibraryBucket } from './bucket.ts'
import { besideVideo, companionsOf } from './read-folder.ts'
import type { Library, ReadLine } from './read-lines.ts'

/** An object below the folder that is imported. */
interface FoundObject {
  /** The key without that folder. */
  path: string
  sizeBytes: number
}

/**
 * Opens a folder of a bucket. As in a folder of the disk, each file with the extension of a video is a line. Captions, chapters and posters beside a video are
 * counted, and not imported. Throws a CliError if the bucket cannot be listed, or if the folder has no video.
 */
export async function openBucketLibrary(
  bucket: LibraryBucket,
  { name, prefix }: BucketAddress,
  signal: AbortSignal,
): Promise<Library> {
  const objects = await listFolder(bucket, prefix, signal)
  const videos = objects.filter(({ path }) => isNamedVideo(basename(path)))
  if (videos.length === 0) throw new CliError(`There is no video below s3://${name}/${prefix}.`)
  const companions = companionsOf(objects.map(({ path }) => path))
  return {
    base: resolve('.'),
    bucket,
    // One for all folders of a bucket: each object has an external id of its own.
    journalPath: resolve(`${name}.import.journal`),
    leftOut: videos.flatMap(({ path }) => besideVideo(path, companions)).length,
    lines: () => objectLines(prefix, videos),
  }
}

/** The objects of a folder without those of systems, sorted by name with 2 before 10. */
async function listFolder(
  bucket: LibraryBucket,
  prefix: string,
  signal: AbortSignal,
): Promise<FoundObject[]> {
  const found: FoundObject[] = []
  for await (const { key, sizeBytes } of bucket.list(prefix)) {
    if (signal.aborted)
      throw new CliError('Interrupted. Nothing was sent.', { code: 'import_incomplete' })
    const path = key.slice(prefix.length)
    // Consoles of services make an empty object for a folder.
    if (!path.endsWith('/') && !isOfSystem(basename(path))) found.push({ path, sizeBytes })
  }
  return found.toSorted((one, other) => compareNames(one.path, other.path))
}

async function* objectLines(
  prefix: string,
  videos: readonly FoundObject[],
): AsyncGenerator<ReadLine> {
  for (const [index, { path, sizeBytes }] of videos.entries()) {
    const folder = dirname(path)
    const line = {
      key: prefix + path,
      title: titleFromFilename(path),
      ...(folder !== '.' && { folder }),
    }
    yield { number: index + 1, parsed: parseManifestLine(JSON.stringify(line)), sizeBytes }
  }
}
