/** Names and values that an integrator keeps with a video. The service does not read them. */
export type Metadata = Record<string, string>

/** What an integrator keeps with a video (ADR 0071). */
export interface OwnData {
  externalId: string | null
  tags: string[]
  metadata: Metadata
}

/** Null removes a key. */
export type MetadataChange = Record<string, string | null>

/** Metadata after a change: other keys keep their values. A change of null removes all of them. */
export function changeMetadata(before: Metadata, change: MetadataChange | null): Metadata {
  if (change === null) return {}
  const entries = Object.entries({ ...before, ...change })
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== ''),
  )
}

/** Returns what makes a tag, as it is stored, the same as another one: case does not matter. */
export type TagKey = (tag: string) => string

/** A tag as it is stored: how letters with accents are composed, and white space around it, do not matter. */
export const storedTag = (tag: string): string => tag.trim().normalize('NFC')

/** What the dashboard takes for the same tag before it saves. The service asks the database (`readTagKeys`). */
export const typedTagKey: TagKey = (tag) => tag.toLowerCase()

/** Tags as they are stored, without repetitions: of two that are the same, the first one stays. */
export function distinctTags(tags: readonly string[], keyOf: TagKey): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags.map(storedTag)) if (!byKey.has(keyOf(tag))) byKey.set(keyOf(tag), tag)
  return [...byKey.values()]
}

/** Which tags are added and removed. */
export interface TagChange {
  added: readonly string[]
  removed: readonly string[]
}

/** Tags after a change; a tag that is added and removed is added. */
export function changeTags(
  before: readonly string[],
  { added, removed }: TagChange,
  keyOf: TagKey,
): string[] {
  const gone = new Set(removed.map((tag) => keyOf(storedTag(tag))))
  return distinctTags(
    [...before.filter((tag) => !gone.has(keyOf(storedTag(tag)))), ...added],
    keyOf,
  )
}
