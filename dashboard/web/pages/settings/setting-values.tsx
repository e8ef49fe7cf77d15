import { Code, ColorSwatch } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PlayerSettings } from '../../../../domain/player-settings.ts'
import { settingValues } from '../../../../domain/settings-merge.ts'
import { useFormats } from '../../parts/text/formats.ts'
import classes from './settings.module.css'
import type { SettingsWords } from './words/en.ts'
import { useSettingsWords } from './words.ts'

/** Returns what people call a setting. */
export const settingLabel = (name: string, { fields }: SettingsWords): string =>
  new Map(Object.entries(fields)).get(name) ?? name

interface Props {
  name: string
  settings: PlayerSettings
}

/** The value of a setting in words. */
export function SettingValue({ name, settings }: Props): ReactNode {
  const { values, plays, end } = useSettingsWords()
  const { percent } = useFormats()
  if (name === 'concurrent_plays.limit') return settings.concurrent_plays.limit ?? plays.unlimited
  if (name === 'concurrent_plays.winner') return plays[settings.concurrent_plays.winner]
  if (name === 'end_screen.action') return end[settings.end_screen.action]
  if (name.startsWith('end_screen.')) return settingValues(settings).get(name) ?? end.none
  const value = settingValues(settings).get(name) ?? values.browserLanguage
  if (typeof value === 'boolean') return value ? values.yes : values.no
  if (typeof value === 'number') return percent(value)
  if (typeof value === 'object') return <ListValue name={name} value={value} />
  if (name.startsWith('colors.')) return <ColorValue color={value} />
  return <bdi>{new Map(Object.entries(values)).get(value) ?? value}</bdi>
}

function ListValue({ name, value }: { name: string; value: readonly (number | string)[] }) {
  const { values } = useSettingsWords()
  const items = value.map(String)
  if (items.length === 0) return values.noDomains
  if (name === 'available_resolutions')
    return <bdi>{items.map((side) => `${side}p`).join(', ')}</bdi>
  return (
    <ul className={classes.hosts}>
      {items.map((host) => (
        <li key={host}>
          <bdi>{host}</bdi>
        </li>
      ))}
    </ul>
  )
}

const ColorValue = ({ color }: { color: string }) => (
  <span className={classes.color}>
    <ColorSwatch color={color} size={16} />
    <Code dir="ltr">{color}</Code>
  </span>
)

/** Settings and their values, for those who may not change them. */
export function SettingFacts({
  names,
  settings,
}: {
  names: readonly string[]
  settings: PlayerSettings
}) {
  const words = useSettingsWords()
  return (
    <dl className={classes.facts}>
      {names.map((name) => (
        <div key={name}>
          <dt>{settingLabel(name, words)}</dt>
          <dd>
            <SettingValue name={name} settings={settings} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
