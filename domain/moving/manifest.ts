import type { Metadata } from '../videos/own-data.ts'

/** Where the file of a line is: beside the manifest, behind a link, or in a bucket. */
export type LineSource =
  { kind: 'path'; path: string } | { kind: 'link'; url: string } | { kind: 'key'; key: string }

/** A caption beside the manifest. */
export interface ManifestCaption {
  /** Relative to the folder of the manifest, with slashes. */
  path: string
  /** BCP 47 in its canonical case. */
  language: string
  label: string
  /** Kept for other products; this one chooses by the language of the viewer. */
  isDefault: boolean
}

export interface ManifestChapter {
  title: string
  /** Whole seconds; `end` is the first one after the chapter. */
  start: number
  end: number
}

/** A video in a manifest: a line of NDJSON (docs/moving.md). What is null or empty was not given. */
export interface ManifestLine {
  source: LineSource
  externalId: string | null
  title: string | null
  description: string | null
  /** The name of a folder of the account. */
  folder: string | null
  tags: string[]
  metadata: Metadata
  /** Null if the line says nothing of captions; empty if the video has none. */
  captions: ManifestCaption[] | null
  /** The same for chapters, by start. */
  chapters: ManifestChapter[] | null
  /** A picture beside the manifest. */
  poster: string | null
  /** ISO 8601 with an offset, as written. */
  createdAt: string | null
  /** Of the file, in lowercase hex. */
  sha256: string | null
  /** Where the video was before. */
  oldUrl: string | null
}

/** The metadata in which a time of creation is kept: lists and cursors go by the time at which a video was made here (ADR 0075). */
export const CREATED_AT_KEY = 'original_created_at'

/** Longer lines are refused before they are parsed. */
export const LINE_MAX_LENGTH = 2_000_000

/** What is wrong with a line. `field` is a path such as `captions[1].language`; empty for the line as a whole. */
export interface FieldFault {
  field: string
  message: string
}

/** The metadata that a video gets: with its time of creation, unless the line has that key itself. */
export function metadataOf({ metadata, createdAt }: ManifestLine): Metadata {
  if (createdAt === null || Object.hasOwn(metadata, CREATED_AT_KEY)) return metadata
  return { ...metadata, [CREATED_AT_KEY]: createdAt }
}

/** A line whose external id is left out is known by its file. */
const OF_FILE = /^(sha256|link):[0-9a-f]{64}$/

/** The external id of a video without one of its own, so that it is imported once (ADR 0075). */
export const idOfFile = (sha256: string): string => `sha256:${sha256}`

/** The same of a video from a link, without its query, which may be a signature that changes; `sum` is the SHA-256 of a text in hex. */
export const idOfLink = (url: string, sum: (text: string) => string): string =>
  `link:${sum(url.split(/[?#]/)[0] ?? '')}`

/** Whether an import made this external id of a file or a link. */
export const isIdOfFile = (externalId: string): boolean => OF_FILE.test(externalId)
