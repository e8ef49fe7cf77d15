import {
  CHAPTERS_MAX,
  DESCRIPTION_MAX_LENGTH,
  FOLDER_NAME_MAX_LENGTH,
  METADATA_KEY_MAX_LENGTH,
  METADATA_KEYS_MAX,
  METADATA_VALUE_MAX_LENGTH,
  TAG_MAX_LENGTH,
  TAGS_MAX,
  TITLE_MAX_LENGTH,
} from '../../../domain/limits.ts'
import type {
  ManifestCaption,
  ManifestChapter,
  ManifestLine,
} from '../../../domain/moving/manifest.ts'
import { distinctTags, typedTagKey, type Metadata } from '../../../domain/videos/own-data.ts'
import type { Service, ServiceVideo } from './service.ts'

/** What of a video is beside the manifest. */
export interface FilesOfLine {
  captions: ManifestCaption[]
  poster: string | null
}

/** Returns the line of a video. What the service allows to be longer than this product is cut, and named with `onCut`. */
export function lineOf(
  service: Service['name'],
  video: ServiceVideo,
  { captions, poster }: FilesOfLine,
  onCut: (what: string) => void,
): ManifestLine {
  const text = (what: string, value: string | null, max: number): string | null =>
    present(cut(value, max, () => onCut(`The ${what} is cut at ${max} characters.`)))
  return {
    source: { kind: 'link', url: video.sourceUrl },
    externalId: `${service}:${video.id}`,
    title: text('title', video.title, TITLE_MAX_LENGTH),
    description: text('description', video.description, DESCRIPTION_MAX_LENGTH),
    folder: text('folder', video.folder, FOLDER_NAME_MAX_LENGTH),
    tags: tagsOf(video.tags, onCut),
    metadata: metadataOf(video.metadata, onCut),
    // Without captions of the service, those in the file itself are of use.
    captions: captions.length > 0 ? captions : null,
    chapters: chaptersOf(video, onCut),
    poster,
    createdAt: video.createdAt?.toISOString() ?? null,
    sha256: video.sha256?.toLowerCase() ?? null,
    oldUrl: video.oldUrl,
  }
}

/** Makes text that the database can keep, of at most so many code points. */
function cut(value: string | null, max: number, onCut: () => void): string | null {
  if (value === null) return null
  const text = value.toWellFormed().replaceAll('\0', '')
  const points = text.length > max ? Array.from(text) : []
  if (points.length <= max) return text
  onCut()
  return points.slice(0, max).join('')
}

const present = (text: string | null): string | null => (text?.trim() ? text : null)

function tagsOf(tags: readonly string[], onCut: (what: string) => void): string[] {
  const own = distinctTags(
    tags.flatMap((tag) => {
      const text = cut(tag.trim(), TAG_MAX_LENGTH, () =>
        onCut(`A tag is cut at ${TAG_MAX_LENGTH} characters.`),
      )
      return present(text) ?? []
    }),
    typedTagKey,
  )
  if (own.length > TAGS_MAX) onCut(`Of its ${own.length} tags, ${TAGS_MAX} are kept.`)
  return own.slice(0, TAGS_MAX)
}

/** One key is left for the time of creation, which an import keeps in the metadata. */
const OWN_KEYS_MAX = METADATA_KEYS_MAX - 1

function metadataOf(metadata: Metadata, onCut: (what: string) => void): Metadata {
  const entries = Object.entries(metadata).flatMap(([key, value]): [string, string][] => {
    const name = cut(key.replaceAll(/[[\]]/g, '_'), METADATA_KEY_MAX_LENGTH, () =>
      onCut(`A key of its metadata is cut at ${METADATA_KEY_MAX_LENGTH} characters.`),
    )
    const text = cut(value, METADATA_VALUE_MAX_LENGTH, () =>
      onCut(`The metadata ${name} is cut at ${METADATA_VALUE_MAX_LENGTH} characters.`),
    )
    return present(name) && present(text) ? [[name ?? '', text ?? '']] : []
  })
  if (entries.length > OWN_KEYS_MAX)
    onCut(`Of its ${entries.length} keys of metadata, ${OWN_KEYS_MAX} are kept.`)
  return Object.fromEntries(entries.slice(0, OWN_KEYS_MAX))
}

/** Chapters in whole seconds that do not overlap; the last one ends with the video. */
function chaptersOf(
  { chapters, durationSeconds }: ServiceVideo,
  onCut: (what: string) => void,
): ManifestChapter[] | null {
  const sorted = chapters.toSorted((one, other) => one.start - other.start)
  const lengthSeconds = Math.ceil(durationSeconds ?? Infinity)
  const kept = sorted.flatMap(({ title, start, end }, index) => {
    const from = Math.max(0, Math.floor(start))
    const next = Math.floor(sorted[index + 1]?.start ?? Infinity)
    const until = Math.min(Math.ceil(end ?? Infinity), next, lengthSeconds)
    const name = present(
      cut(title, TITLE_MAX_LENGTH, () => onCut('The title of a chapter is cut.')),
    )
    return name !== null && until > from && Number.isFinite(until)
      ? [{ title: name, start: from, end: until }]
      : []
  })
  const usable = kept.slice(0, CHAPTERS_MAX)
  if (usable.length < chapters.length)
    onCut(`Of its ${chapters.length} chapters, ${usable.length} are kept.`)
  return usable.length > 0 ? usable : null
}
