/** What kind of caller makes a change. */
export const ACTOR_KINDS = ['member', 'key', 'operator'] as const

export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Who makes a change, as the audit log names them. */
export interface Actor {
  kind: ActorKind
  /** The id of the member or the API key; null for the operator. */
  id: number | null
  /** The e-mail address of the member, the name of the key, or the user of the command line. */
  name: string
}

/** The action of a backup that was completed; its subject is the name of the backup. */
export const BACKUP_ACTION = 'installation.backup'

/** Fields of an object at one moment, under the names of its JSON shape. */
export type AuditedFields = Record<string, unknown>

/** One change for the audit log. */
export interface AuditedChange {
  /** Noun and verb, such as `video.update`. */
  action: string
  /** The id of what was changed. */
  subject: string
  /** The changed fields before the change; null if the object did not exist. */
  before: AuditedFields | null
  /** The changed fields after it; null if the object no longer exists. */
  after: AuditedFields | null
}

/** True for two values that are the same in JSON, in any order of their fields: PostgreSQL keeps no order. */
export const isSame = (one: unknown, other: unknown): boolean => ordered(one) === ordered(other)

const ordered = (value: unknown): string | undefined =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** The states of one change. */
export type AuditedStates = Pick<AuditedChange, 'before' | 'after'>

/**
 * Keeps of two states the allowed fields that differ, and of lists of rows the rows that differ. A state that is null
 * stays null, and the other one then keeps all allowed fields. Fields that are not named never reach the log, which holds no secret.
 */
export function changedFields(
  before: AuditedFields | null,
  after: AuditedFields | null,
  allowed: readonly string[],
): AuditedStates {
  const names = allowed.filter((name) => !isSame(before?.[name], after?.[name]))
  return { before: pick(before, names, after), after: pick(after, names, before) }
}

const pick = (
  fields: AuditedFields | null,
  names: readonly string[],
  other: AuditedFields | null,
): AuditedFields | null =>
  fields &&
  Object.fromEntries(
    names.map((name) => [name, rowsThatDiffer(fields[name], other?.[name]) ?? null]),
  )

/** A list of plain values stays whole: an empty list of allowed hosts would say that all were allowed. */
function rowsThatDiffer(value: unknown, other: unknown): unknown {
  if (!isListOfRows(value) || !isListOfRows(other)) return value
  const others = new Set(other.map(ordered))
  return value.filter((row) => !others.has(ordered(row)))
}

const isListOfRows = (value: unknown): value is { id: unknown }[] =>
  Array.isArray(value) && value.every(hasId)

const hasId = (value: unknown): value is { id: unknown } =>
  typeof value === 'object' && value !== null && 'id' in value
