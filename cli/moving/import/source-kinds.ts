import type { LineSource } from '../../../domain/moving/manifest.ts'

/** Returns why a source is not imported by this command; null for a file beside the manifest and for a link. */
export function whyNotImported(source: LineSource): string | null {
  switch (source.kind) {
    case 'path':
      return null
    case 'link':
      return null
    case 'key':
      return 'is the key of an object: POST /v1/imports imports from a bucket, which this command does not ask yet'
  }
}
