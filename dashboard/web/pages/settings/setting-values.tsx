import { Code, ColorSwatch } from '@mantine/core'
import type { ReactNode } from 'react'
import { SETTING_BY_NAME } from '../../../../domain/settings/declarations.ts'
import { settingValues } from '../../../../domain/settings/groups.ts'
import type { Setting } from '../../../../domain/settings/kinds.ts'
import type { PlayerSettings } from '../../../../domain/settings/player-settings.ts'
import { useFormats } from '../../parts/text/formats.ts'
import type { SettingsWords } from './locales/en.ts'
import classes from './settings.module.css'
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
  const { values } = useSettingsWords()
  const { percent } = useFormats()
  const kind = SETTING_BY_NAME.get(name)?.kind
  const value = settingValues(settings).get(name) ?? null
  if (value === null && kind === 'language') return values.browserLanguage
  if (value === null && kind === 'days') return values.installation
  if (value === null) return kind === 'limit' ? values.unlimited : values.none
  if (typeof value === 'boolean') return value ? values.yes : values.no
  if (typeof value === 'number') return kind === 'fraction' ? percent(value) : value
  if (typeof value === 'object') return <ListValue kind={kind} value={value} />
  if (kind === 'color') return <ColorValue color={value} />
  return <bdi>{kind === 'choice' ? new Map(Object.entries(values)).get(value) : value}</bdi>
}

interface ListProps {
  kind: Setting['kind'] | undefined
  value: readonly (number | string)[]
}

function ListValue({ kind, value }: ListProps) {
  const { values } = useSettingsWords()
  const items = value.map(String)
  if (items.length === 0) return values.none
  if (kind === 'resolutions') return <bdi>{items.map((side) => `${side}p`).join(', ')}</bdi>
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
