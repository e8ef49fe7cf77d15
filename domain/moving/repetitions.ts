import type { FieldFault, ManifestLine } from './manifest.ts'

/** Finds what two lines of a manifest have and only one may have. */
export interface Repetitions {
  /** Returns what an earlier line has too. */
  add: (line: ManifestLine, number: number) => FieldFault[]
}

/** Creates one for a manifest. */
export function createRepetitions(): Repetitions {
  const seen = new Map<string, number>()
  const claim = (field: string, value: string, number: number): FieldFault[] => {
    const key = `${field} ${value}`
    const first = seen.get(key)
    if (first === undefined) seen.set(key, number)
    return first === undefined ? [] : [{ field, message: `is that of line ${first} too` }]
  }
  return {
    add({ source, externalId }, number) {
      return [
        ...(externalId === null ? [] : claim('external_id', externalId, number)),
        ...(source.kind === 'path' ? claim('path', source.path, number) : []),
        ...(source.kind === 'link' ? claim('source_url', source.url, number) : []),
        ...(source.kind === 'key' ? claim('key', source.key, number) : []),
      ]
    },
  }
}
