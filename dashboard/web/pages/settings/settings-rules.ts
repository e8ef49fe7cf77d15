import { CONCURRENT_PLAYS_MAX, isPlaysLimit } from '../../../../domain/playback/concurrent-plays.ts'
import { END_LINK_TEXT_MAX, isEndLink, isEndLinkText } from '../../../../domain/end-screen.ts'
import { hostRule } from '../../../../domain/host-name.ts'
import { DOMAINS_MAX } from '../../../../domain/limits.ts'
import { isColor, isLanguageTag, withChange } from '../../../../domain/player-settings.ts'
import type { PlayerSettings } from '../../../../domain/player-settings.ts'
import { settingValues } from '../../../../domain/settings-merge.ts'
import { problemOf } from '../../api/problem.ts'
import { fill } from '../../words/fill.ts'
import type { SettingsWords } from './words/en.ts'

type Rules = SettingsWords['rules']

/** What a form holds, as it is saved: hosts as browsers name them, without empty lines. */
export const tidied = (values: PlayerSettings): PlayerSettings =>
  withChange(values, {
    available_resolutions: values.available_resolutions.toSorted((a, b) => a - b),
    subtitles: { default_language: values.subtitles.default_language?.trim() || null },
    end_screen: {
      link_url: values.end_screen.link_url?.trim() || null,
      link_text: values.end_screen.link_text?.trim() || null,
    },
    allowed_domains: tidiedHosts(values.allowed_domains),
    blocked_domains: tidiedHosts(values.blocked_domains),
  })

const tidiedHosts = (lines: readonly string[]): string[] => [
  ...new Set(lines.flatMap((line) => (line.trim() === '' ? [] : [hostRule(line) ?? line.trim()]))),
]

/** What is wrong with the values of a form, by the name of the setting. The server decides anyway. */
export function problemsOf(values: PlayerSettings, rules: Rules): Record<string, string> {
  const { colors, subtitles, available_resolutions, allowed_domains, blocked_domains } = values
  const { limit } = values.concurrent_plays
  const language = subtitles.default_language?.trim() ?? ''
  const found = {
    'colors.accent': isColor(colors.accent) ? null : rules.color,
    'colors.background': isColor(colors.background) ? null : rules.color,
    'colors.text': isColor(colors.text) ? null : rules.color,
    'subtitles.default_language':
      language === '' || isLanguageTag(language) ? null : rules.language,
    available_resolutions: available_resolutions.length > 0 ? null : rules.resolutions,
    'concurrent_plays.limit':
      limit === null || isPlaysLimit(limit)
        ? null
        : fill(rules.plays, { number: CONCURRENT_PLAYS_MAX }),
    ...problemsOfEnd(tidied(values).end_screen, rules),
    allowed_domains: problemOfHosts(allowed_domains, rules),
    blocked_domains: problemOfHosts(blocked_domains, rules),
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, problem]) => (problem === null ? [] : [[name, problem]])),
  )
}

/** A link needs an address in the form; the server takes one without, and shows the replay button alone. */
const problemsOfEnd = (
  { action, link_url: url, link_text: text }: PlayerSettings['end_screen'],
  rules: Rules,
) => ({
  'end_screen.link_url':
    (url === null && action !== 'link') || (url !== null && isEndLink(url)) ? null : rules.link,
  'end_screen.link_text':
    text === null || isEndLinkText(text)
      ? null
      : fill(rules.linkText, { number: END_LINK_TEXT_MAX }),
})

function problemOfHosts(lines: readonly string[], rules: Rules): string | null {
  const wrong = lines.findIndex((line) => line.trim() !== '' && hostRule(line) === null)
  if (wrong >= 0) return fill(rules.domain, { line: wrong + 1 })
  return tidiedHosts(lines).length > DOMAINS_MAX
    ? fill(rules.tooMany, { number: DOMAINS_MAX })
    : null
}

/** The setting that a refusal of the server is about, such as `settings.allowed_domains.3`; null if it is none. */
export function settingOfProblem(error: unknown, settings: PlayerSettings): string | null {
  const path = (problemOf(error).field ?? '').replace(/^settings\./, '')
  const names = [...settingValues(settings).keys()]
  return names.find((name) => path === name || path.startsWith(`${name}.`)) ?? null
}
