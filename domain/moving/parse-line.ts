import { canonicalLanguage, LANGUAGE_TAG, LANGUAGE_TAG_RULE } from '../language-tag.ts'
import {
  CAPTIONS_MAX,
  CHAPTERS_MAX,
  DESCRIPTION_MAX_LENGTH,
  EXTERNAL_ID_MAX_LENGTH,
  FOLDER_NAME_MAX_LENGTH,
  LABEL_MAX_LENGTH,
  METADATA_KEY_MAX_LENGTH,
  METADATA_KEYS_MAX,
  METADATA_VALUE_MAX_LENGTH,
  TAG_MAX_LENGTH,
  TAGS_MAX,
  TITLE_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '../limits.ts'
import { parseJson } from '../parse-json.ts'
import { INTEGER_MAX } from '../row-id.ts'
import { textFault } from '../text-fault.ts'
import { isOverlapping } from '../videos/chapters.ts'
import { distinctTags, typedTagKey, type Metadata } from '../videos/own-data.ts'
import { objectOf, readFields, type FieldReader } from './field-reader.ts'
import {
  LINE_MAX_LENGTH,
  metadataOf,
  type FieldFault,
  type LineSource,
  type ManifestCaption,
  type ManifestChapter,
  type ManifestLine,
} from './manifest.ts'
import { relativePathFault } from './relative-path.ts'

const PATH = { maxLength: 4_096, fault: relativePathFault }
const OBJECT_KEY_MAX_LENGTH = 1_024

/** Returns the video of a line of a manifest, or everything that is wrong with the line. */
export function parseManifestLine(text: string): ManifestLine | FieldFault[] {
  const whole = (message: string): FieldFault[] => [{ field: '', message }]
  if (text.length > LINE_MAX_LENGTH)
    return whole(`must be at most ${LINE_MAX_LENGTH} characters long`)
  const value = objectOf(parseJson(text))
  if (value === null) return whole('must be an object of JSON')
  const faults: FieldFault[] = []
  const fields = readFields(value, '', faults)
  const line = readLine(fields, faults)
  fields.refuseRest()
  if (line === null || faults.length > 0) return faults
  return Object.keys(metadataOf(line)).length > METADATA_KEYS_MAX
    ? [{ field: 'metadata', message: 'has no room for the time of created_at' }]
    : line
}

/** Whether a line could not be parsed. */
export const isFaulty = (parsed: ManifestLine | FieldFault[]): parsed is FieldFault[] =>
  Array.isArray(parsed)

function readLine(fields: FieldReader, faults: FieldFault[]): ManifestLine | null {
  const source = readSource(fields)
  const folder = fields.text('folder', { maxLength: FOLDER_NAME_MAX_LENGTH })
  const line = {
    externalId: fields.text('external_id', { maxLength: EXTERNAL_ID_MAX_LENGTH }),
    title: fields.text('title', { maxLength: TITLE_MAX_LENGTH }),
    description: fields.text('description', {
      maxLength: DESCRIPTION_MAX_LENGTH,
      mayBeEmpty: true,
    }),
    folder: folder?.trim().normalize('NFC') ?? null,
    tags: readTags(fields),
    metadata: readMetadata(fields, faults),
    captions: readCaptions(fields, faults),
    chapters: readChapters(fields, faults),
    poster: fields.text('poster', PATH),
    createdAt: fields.text('created_at', { maxLength: 40, fault: instantFault }),
    sha256: fields.text('sha256', { maxLength: 64, fault: sha256Fault })?.toLowerCase() ?? null,
    oldUrl: fields.text('old_url', { maxLength: URL_MAX_LENGTH, fault: webAddressFault }),
  }
  return source && { source, ...line }
}

function readSource(fields: FieldReader): LineSource | null {
  const path = fields.text('path', PATH)
  const url = fields.text('source_url', { maxLength: URL_MAX_LENGTH, fault: webAddressFault })
  const key = fields.text('key', { maxLength: OBJECT_KEY_MAX_LENGTH })
  const sources: LineSource[] = [
    ...(path === null ? [] : [{ kind: 'path' as const, path }]),
    ...(url === null ? [] : [{ kind: 'link' as const, url }]),
    ...(key === null ? [] : [{ kind: 'key' as const, key }]),
  ]
  const [source] = sources
  if (source !== undefined && sources.length === 1) return source
  return fields.refuse('path', 'or source_url, or key must be given, and only one of them')
}

const TAG = { maxLength: TAG_MAX_LENGTH }

function readTags(fields: FieldReader): string[] {
  const tags = fields.list('tags', TAGS_MAX, (value) => {
    if (typeof value === 'string' && textFault(value, TAG) === null) return value
    return fields.refuse('tags', `must be texts of 1 to ${TAG_MAX_LENGTH} characters`)
  })
  return distinctTags(tags ?? [], typedTagKey)
}

function readMetadata(fields: FieldReader, faults: FieldFault[]): Metadata {
  const { value, place } = fields.take('metadata')
  if (value === null) return {}
  const object = objectOf(value)
  if (object === null) {
    fields.refuse('metadata', 'must be an object')
    return {}
  }
  const entries = Object.entries(object)
  if (entries.length > METADATA_KEYS_MAX)
    fields.refuse('metadata', `must have at most ${METADATA_KEYS_MAX} keys`)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => {
      const message = metadataFault(...entry)
      if (message !== null) faults.push({ field: `${place}.${entry[0]}`, message })
      return message === null
    }),
  )
}

function metadataFault(key: string, value: unknown): string | null {
  const ofKey = textFault(key, { maxLength: METADATA_KEY_MAX_LENGTH })
  if (ofKey !== null) return `is a key that ${ofKey}`
  if (/[[\]]/.test(key)) return 'is a key that must have no square brackets'
  if (typeof value !== 'string' || value === '') return 'must be text, and not be empty'
  return textFault(value, { maxLength: METADATA_VALUE_MAX_LENGTH, mayBeEmpty: true })
}

function readCaptions(fields: FieldReader, faults: FieldFault[]): ManifestCaption[] | null {
  const captions = fields.list('captions', CAPTIONS_MAX, (value, place) =>
    readCaption(value, place, faults),
  )
  const languages = (captions ?? []).map(({ language }) => language)
  const again = languages.find((language, index) => languages.indexOf(language) < index)
  if (again !== undefined) fields.refuse('captions', `has two of the language ${again}`)
  return captions
}

function readCaption(value: unknown, place: string, faults: FieldFault[]): ManifestCaption | null {
  const object = objectOf(value)
  if (object === null) {
    faults.push({ field: place, message: 'must be an object' })
    return null
  }
  const { length } = faults
  const fields = readFields(object, place, faults)
  const path = fields.text('path', PATH)
  const tag = fields.text('language', { maxLength: 35, fault: languageFault })
  const label = fields.text('label', { maxLength: LABEL_MAX_LENGTH })
  const isDefault = fields.flag('default')
  fields.refuseRest()
  if (path !== null && tag !== null && label !== null)
    return { path, language: captionLanguage(tag) ?? tag, label, isDefault }
  if (faults.length === length)
    faults.push({ field: place, message: 'needs path, language and label' })
  return null
}

function readChapters(fields: FieldReader, faults: FieldFault[]): ManifestChapter[] | null {
  const chapters = fields.list('chapters', CHAPTERS_MAX, (value, place) =>
    readChapter(value, place, faults),
  )
  if (chapters === null) return null
  const sorted = chapters.toSorted((one, other) => one.start - other.start)
  const overlaps = sorted.some((chapter, index) => {
    const next = sorted[index + 1]
    return next !== undefined && isOverlapping(chapter, next)
  })
  if (overlaps) fields.refuse('chapters', 'overlap')
  return sorted
}

/** Reads a chapter; null if it is none. */
function readChapter(value: unknown, place: string, faults: FieldFault[]): ManifestChapter | null {
  const object = objectOf(value)
  const fields = readFields(object ?? {}, place, faults)
  const title = fields.text('title', { maxLength: TITLE_MAX_LENGTH })
  const start = fields.integer('start', INTEGER_MAX)
  const end = fields.integer('end', INTEGER_MAX)
  fields.refuseRest()
  if (title !== null && start !== null && end !== null && end > start) return { title, start, end }
  faults.push({
    field: place,
    message: 'must be an object with title, start and end, which is after start',
  })
  return null
}

/** Returns a BCP 47 tag in its canonical form; null for another text. */
export const captionLanguage = (tag: string): string | null =>
  LANGUAGE_TAG.test(tag) ? canonicalLanguage(tag) : null

const languageFault = (tag: string): string | null =>
  captionLanguage(tag) === null ? LANGUAGE_TAG_RULE : null

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** What is wrong with a time; null for ISO 8601 with an offset. */
export const instantFault = (text: string): string | null =>
  INSTANT.test(text) && !Number.isNaN(Date.parse(text))
    ? null
    : 'must be an ISO 8601 time with an offset, such as 2024-01-31T09:00:00Z'

const sha256Fault = (text: string): string | null =>
  /^[0-9a-f]{64}$/i.test(text) ? null : 'must be 64 hex characters'

const webAddressFault = (text: string): string | null =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? null : 'must be an http or https address'
