import { isSame } from '../../../../../domain/accounts/audit.ts'
import type { Metadata, MetadataChange } from '../../../../../domain/videos/own-data.ts'
import type { VideosWords } from '../locales/en.ts'

/** A name of metadata and its value, as they are typed. */
export interface MetadataRow {
  key: string
  value: string
}

/** Metadata as rows, in the order in which the service sends them. */
export const toRows = (metadata: Metadata): MetadataRow[] =>
  Object.entries(metadata).map(([key, value]) => ({ key, value }))

/** The metadata of rows; empty rows do not count. */
export const toMetadata = (rows: readonly MetadataRow[]): Metadata =>
  Object.fromEntries(
    rows.map(({ key, value }) => [key.trim(), value]).filter(([key]) => key !== ''),
  )

/** Whether rows say the same, in any order. */
export const areSameRows = (
  some: readonly MetadataRow[],
  others: readonly MetadataRow[],
): boolean => isSame(toMetadata(some), toMetadata(others))

/** What changes the metadata of some rows to those of others; undefined if nothing does. */
export function metadataChange(
  before: readonly MetadataRow[],
  after: readonly MetadataRow[],
): MetadataChange | undefined {
  const from = new Map(Object.entries(toMetadata(before)))
  const to = new Map(Object.entries(toMetadata(after)))
  const changed = [...to].filter(([key, value]) => from.get(key) !== value)
  const removed = [...from.keys()].filter((key) => !to.has(key)).map((key) => [key, null] as const)
  return changed.length + removed.length > 0
    ? Object.fromEntries([...changed, ...removed])
    : undefined
}

/** What is wrong with rows, by the name of their field in a form. */
export function faultsOfRows(
  rows: readonly MetadataRow[],
  { own }: VideosWords,
): Record<string, string> {
  const faults = new Map<string, string>()
  for (const [index, { key: typed, value }] of rows.entries()) {
    const key = typed.trim()
    const isRepeated = rows.slice(0, index).some((row) => key !== '' && row.key.trim() === key)
    if (key === '' && value.trim() !== '') faults.set(`metadata.${index}.key`, own.needsKey)
    if (key !== '' && value.trim() === '') faults.set(`metadata.${index}.value`, own.needsValue)
    if (isRepeated) faults.set(`metadata.${index}.key`, own.sameKey)
    if (/[[\]]/.test(key)) faults.set(`metadata.${index}.key`, own.brackets)
  }
  return Object.fromEntries(faults)
}
