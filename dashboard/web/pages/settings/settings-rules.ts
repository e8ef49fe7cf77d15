import { hostRule } from '../../../../domain/host-name.ts'
import { DOMAINS_MAX } from '../../../../domain/limits.ts'
import { SETTING_BY_NAME, settingAt } from '../../../../domain/settings/declarations.ts'
import { settingValues, type SettingValue } from '../../../../domain/settings/groups.ts'
import { accepts, type Setting } from '../../../../domain/settings/kinds.ts'
import { mapSettings, type PlayerSettings } from '../../../../domain/settings/player-settings.ts'
import { problemOf } from '../../api/problem.ts'
import { interpolate } from '../../locales/interpolate.ts'
import type { SettingsWords } from './locales/en.ts'

type Rules = SettingsWords['rules']

/** What a form holds, as it is saved: hosts as browsers name them, without empty lines. */
export const tidied = (values: PlayerSettings): PlayerSettings => mapSettings(values, tidiedValue)

function tidiedValue(value: SettingValue, name: string): SettingValue {
  const setting = SETTING_BY_NAME.get(name)
  if (typeof value === 'string' && setting && accepts(setting, null)) return value.trim() || null
  if (typeof value !== 'object' || value === null) return value
  if (setting?.kind === 'hosts') return tidiedHosts(value.map(String))
  return value.toSorted((a, b) => Number(a) - Number(b))
}

const tidiedHosts = (lines: readonly string[]): string[] => [
  ...new Set(lines.flatMap((line) => (line.trim() === '' ? [] : [hostRule(line) ?? line.trim()]))),
]

/** What is wrong with the values of a form, by the name of the setting. The server decides anyway. */
export function problemsOf(values: PlayerSettings, rules: Rules): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const [name, value] of settingValues(values)) {
    const setting = SETTING_BY_NAME.get(name)
    const isValid = !setting || accepts(setting, tidiedValue(value, name))
    if (!isValid) problems[name] = problemOfValue(setting, value, rules)
  }
  // A link needs an address in the form; the server takes one without, and shows the replay button alone.
  const { action, link_url: url } = tidied(values).end_screen
  if (action === 'link' && url === null) problems['end_screen.link_url'] = rules.link
  return problems
}

function problemOfValue(setting: Setting, value: SettingValue, rules: Rules): string {
  if (Array.isArray(value) && setting.kind === 'hosts')
    return problemOfHosts(value.map(String), rules)
  const rule = new Map(Object.entries(rules)).get(setting.kind) ?? ''
  return 'max' in setting ? interpolate(rule, { number: setting.max }) : rule
}

function problemOfHosts(lines: readonly string[], rules: Rules): string {
  const wrong = lines.findIndex((line) => line.trim() !== '' && hostRule(line) === null)
  return wrong >= 0
    ? interpolate(rules.domain, { line: wrong + 1 })
    : interpolate(rules.tooMany, { number: DOMAINS_MAX })
}

/** The setting that a refusal of the server is about, such as `settings.allowed_domains.3`; null if it is none. */
export const settingOfProblem = (error: unknown): string | null =>
  settingAt((problemOf(error).field ?? '').replace(/^settings\./, '')) ?? null
