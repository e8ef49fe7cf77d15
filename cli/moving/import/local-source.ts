import type { LineSource } from '../../../domain/moving/manifest.ts'

/** Returns why a source is not imported by this command; null for a file beside the manifest. */
export function whyNotLocal(source: LineSource): string | null {
  switch (source.kind) {
    case 'path':
      return null
    case 'link':
      return 'is a link: links are imported by the service itself, which this command does not ask yet'
    case 'key':
      return 'is the key of an object: buckets are imported by the service itself, which this command does not ask yet'
  }
}
