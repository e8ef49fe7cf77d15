import type { ManifestLine } from './manifest.ts'

/** Returns the line of a manifest for a video, without the end of the line: `parseManifestLine` reads the same video from it. */
export function lineText(line: ManifestLine): string {
  const { source, captions, chapters, tags, metadata } = line
  return JSON.stringify({
    ...(source.kind === 'path' && { path: source.path }),
    ...(source.kind === 'link' && { source_url: source.url }),
    ...(source.kind === 'key' && { key: source.key }),
    ...given('external_id', line.externalId),
    ...given('title', line.title),
    ...given('description', line.description),
    ...given('folder', line.folder),
    ...(tags.length > 0 && { tags }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(captions && {
      captions: captions.map(({ isDefault, ...caption }) => ({
        ...caption,
        ...(isDefault && { default: true }),
      })),
    }),
    ...(chapters && { chapters }),
    ...given('poster', line.poster),
    ...given('created_at', line.createdAt),
    ...given('sha256', line.sha256),
    ...given('old_url', line.oldUrl),
  })
}

const given = (name: string, value: string | null): Record<string, string> =>
  value === null ? {} : { [name]: value }
