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

/** What makes two tags the same: case, and how letters with accents are composed, do not matter. */
export const tagKey = (tag: string): string => tag.normalize('NFC').toLowerCase()

/** Tags without white space around them and without repetitions; of two that are the same, the first one stays. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags) {
    const trimmed = tag.trim().normalize('NFC')
    if (!byKey.has(tagKey(trimmed))) byKey.set(tagKey(trimmed), trimmed)
  }
  return [...byKey.values()]
}
