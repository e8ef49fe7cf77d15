import { SETTING_BY_NAME, settingAt } from '../domain/settings/declarations.ts'
import { grouped, settingValues } from '../domain/settings/groups.ts'
import { valuesHint } from '../domain/settings/kinds.ts'
import type { PlayerSettings } from '../domain/settings/player-settings.ts'
import { playerSettingsSchema } from '../views/player-settings.ts'
import { UsageError } from './errors.ts'

/** The dot path of a known setting and its new value. */
export interface Assignment {
  path: string
  value: unknown
}

/**
 * Parses `watermark.required=true` or `colors={"text":"#fff"}`. A value that is not valid JSON is
 * text. An object assigns the settings of a group that it contains. Throws a UsageError that lists
 * the settings for an unknown path.
 */
export function parseAssignment(text: string): Assignment[] {
  const index = text.indexOf('=')
  if (index < 1)
    throw new UsageError(`"${text}" is not of the form path=value.\n${allowedSettings()}`)
  return flatten(text.slice(0, index).trim(), jsonOrText(text.slice(index + 1)))
}

function flatten(path: string, value: unknown): Assignment[] {
  if (SETTING_BY_NAME.has(path)) return [{ path, value }]
  const isGroup = [...SETTING_BY_NAME.keys()].some((known) => known.startsWith(`${path}.`))
  if (!isGroup) throw new UsageError(`There is no setting "${path}".\n${allowedSettings()}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`"${path}" is a group of settings.\n${allowedSettings(path)}`)
  return Object.entries(value).flatMap(([name, inner]) => flatten(`${path}.${name}`, inner))
}

/**
 * Returns the settings with all assignments made. Throws a UsageError with the setting and its
 * allowed values if a value is invalid; then none is made.
 */
export function applyAssignments(
  settings: PlayerSettings,
  assignments: Assignment[],
): PlayerSettings {
  const assigned = assignments.map(({ path, value }): [string, unknown] => [path, value])
  const parsed = playerSettingsSchema.safeParse(
    grouped<unknown>([...settingValues(settings), ...assigned]),
  )
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path: parts, message }) => {
    const path = parts.join('.')
    const name = settingAt(path) ?? path
    const setting = SETTING_BY_NAME.get(name)
    return `${name}: ${message} (allowed: ${setting ? valuesHint(setting) : 'see settings get'})`
  })
  throw new UsageError([...new Set(problems)].join('\n'))
}

function allowedSettings(group?: string): string {
  const entries = [...SETTING_BY_NAME].filter(
    ([path]) => group === undefined || path.startsWith(`${group}.`),
  )
  return ['Settings:', ...entries.map(([path, one]) => `  ${path} = ${valuesHint(one)}`)].join('\n')
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
