import type { PlayerSettings } from '../domain/player-settings.ts'
import { playerSettingsSchema } from '../views/player-settings.ts'
import { UsageError } from './errors.ts'
import { SETTING_HINTS } from './setting-hints.ts'

/** One change: a dot path of a known setting, and the value it gets. */
export interface Assignment {
  path: string
  value: unknown
}

/**
 * Reads `watermark.required=true` or `colors={"text":"#fff"}`: the value is JSON where it parses as
 * such, else text; a group given as an object stands for the settings that it names. Throws a
 * UsageError that lists what there is for an unknown path.
 */
export function parseAssignment(text: string): Assignment[] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`"${text}" is not of the form path=value.\n${allowedSettings()}`)
  return flatten(text.slice(0, at).trim(), jsonOrText(text.slice(at + 1)))
}

function flatten(path: string, value: unknown): Assignment[] {
  if (Object.hasOwn(SETTING_HINTS, path)) return [{ path, value }]
  const isGroup = Object.keys(SETTING_HINTS).some((known) => known.startsWith(`${path}.`))
  if (!isGroup) throw new UsageError(`There is no setting "${path}".\n${allowedSettings()}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`"${path}" is a group of settings.\n${allowedSettings(path)}`)
  return Object.entries(value).flatMap(([name, inner]) => flatten(`${path}.${name}`, inner))
}

/**
 * The settings with all assignments made. Throws a UsageError naming the setting and the values it
 * takes where a value does not fit; nothing is applied by halves.
 */
export function applyAssignments(
  settings: PlayerSettings,
  assignments: Assignment[],
): PlayerSettings {
  const changed: Record<string, unknown> = structuredClone({ ...settings })
  for (const { path, value } of assignments) {
    const [group = '', name] = path.split('.')
    if (name === undefined) changed[group] = value
    else changed[group] = { ...(changed[group] as Record<string, unknown>), [name]: value }
  }
  const parsed = playerSettingsSchema.safeParse(changed)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => {
    const path = settingOf(issue.path)
    return `${path}: ${issue.message} (allowed: ${SETTING_HINTS[path] ?? 'see settings get'})`
  })
  throw new UsageError([...new Set(problems)].join('\n'))
}

const settingOf = (path: PropertyKey[]): string =>
  path
    .map(String)
    .reduce((known, part) => (Object.hasOwn(SETTING_HINTS, known) ? known : `${known}.${part}`))

function allowedSettings(group?: string): string {
  const entries = Object.entries(SETTING_HINTS).filter(
    ([path]) => group === undefined || path.startsWith(`${group}.`),
  )
  return ['Settings:', ...entries.map(([path, hint]) => `  ${path} = ${hint}`)].join('\n')
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
