import { z } from 'zod'
import { DEFAULT_PLAYER_SETTINGS } from '../domain/player-settings.ts'
import type { PlayerSettings } from '../domain/player-settings.ts'
import { playerSettingsSchema } from '../views/player-settings.ts'
import { UsageError } from './errors.ts'

const resolutions = DEFAULT_PLAYER_SETTINGS.available_resolutions

/** The allowed values of every setting by its dot path, for error messages. */
export const SETTING_HINTS: Readonly<Record<string, string>> = {
  theme: 'dark | light | auto',
  'colors.accent': '#rrggbb',
  'colors.background': '#rrggbb',
  'colors.text': '#rrggbb',
  available_resolutions: `a list among ${resolutions.join(', ')}`,
  'subtitles.enabled_by_default': 'true | false',
  'subtitles.default_language': 'a language such as en, or null',
  'subtitles.size': 'small | medium | large',
  'watermark.enabled': 'true | false',
  'watermark.required': 'true | false',
  'watermark.opacity': '0.05 to 1',
  'watermark.size': 'small | medium | large',
  'concurrent_plays.limit': '1 to 20, or null',
  'concurrent_plays.winner': 'newest | oldest',
  'end_screen.action': 'replay | link | nothing',
  'end_screen.link_url': 'an http or https address, or null',
  'end_screen.link_text': 'one line of up to 60 characters, or null',
  allowed_domains: 'a list such as ["a.example","*.b.example"]',
  blocked_domains: 'a list such as ["a.example","*.b.example"]',
  app_only_l3: 'true | false',
  keep_original: 'true | false',
  import_chapters_and_captions: 'true | false',
  normalize_loudness: 'true | false',
  direct_play: 'true | false',
}

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
  if (Object.hasOwn(SETTING_HINTS, path)) return [{ path, value }]
  const isGroup = Object.keys(SETTING_HINTS).some((known) => known.startsWith(`${path}.`))
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
  const changed: Record<string, unknown> = structuredClone({ ...settings })
  for (const { path, value } of assignments) {
    const [group = '', name] = path.split('.')
    if (name === undefined) changed[group] = value
    else changed[group] = { ...groupSchema.parse(changed[group]), [name]: value }
  }
  const parsed = playerSettingsSchema.safeParse(changed)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => {
    const path = settingOf(issue.path)
    return `${path}: ${issue.message} (allowed: ${SETTING_HINTS[path] ?? 'see settings get'})`
  })
  throw new UsageError([...new Set(problems)].join('\n'))
}

const groupSchema = z.record(z.string(), z.unknown())

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
