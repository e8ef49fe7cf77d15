import { createHash } from 'node:crypto'
import { objectAddress, type ImportBucket } from '../../../domain/imports/video-import.ts'
import { idOfLink, type LineSource, type ManifestLine } from '../../../domain/moving/manifest.ts'

/** Returns why a source is not imported; null for one that is. */
export const whyNotImported = (source: LineSource, bucket: ImportBucket | null): string | null =>
  source.kind === 'key' && bucket === null
    ? 'is the key of an object: name its bucket with --bucket'
    : null

/** Whether the service fetches a source itself. */
export const isFetched = ({ source }: ManifestLine): boolean => source.kind !== 'path'

/** The external id of a line: its own, or else one of its link or of the address of its object. Null for a file, whose checksum says it. */
export function externalIdOf(
  { source, externalId }: ManifestLine,
  bucket: ImportBucket | null,
): string | null {
  if (externalId !== null) return externalId
  if (source.kind === 'link') return idOfLink(source.url, sumOf)
  return source.kind === 'key' && bucket !== null
    ? idOfLink(objectAddress(bucket, source.key), sumOf)
    : null
}

/** The SHA-256 of a text in hex. */
export const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')
