import { ColorSwatch } from '@mantine/core'
import { isColor } from '../../../../domain/settings/kinds.ts'
import type { PlayerSettings } from '../../../../domain/settings/player-settings.ts'
import { contrast, readableColors } from '../../../../player/client/colors/readable-colors.ts'
import { IconAlertTriangle, IconCircleCheck } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { useFormats } from '../../parts/text/formats.ts'
import { settingLabel } from './setting-values.tsx'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

const COLORS = ['accent', 'text'] as const

type Surface = 'dark' | 'light'

/** How well the colours are seen on the controls, as the player judges it, and what it shows instead. */
export function Contrast({ theme, colors }: Pick<PlayerSettings, 'theme' | 'colors'>) {
  const surfaces: Surface[] = theme === 'auto' ? ['dark', 'light'] : [theme]
  return (
    <ul className={classes.contrasts} aria-live="polite">
      {surfaces.flatMap((surface) =>
        COLORS.map((name) =>
          isColor(colors[name]) ? (
            <Judged key={`${surface} ${name}`} {...{ surface, name, colors }} />
          ) : null,
        ),
      )}
    </ul>
  )
}

interface Props {
  surface: Surface
  name: (typeof COLORS)[number]
  colors: PlayerSettings['colors']
}

function Judged({ surface, name, colors }: Props) {
  const words = useSettingsWords()
  const { number } = useFormats()
  const readable = readableColors(colors, surface)
  const ratio = contrast(colors[name], readable.surface)
  const isKept = contrast(colors[name], readable[name]) < 1.01
  return (
    <li data-kept={isKept}>
      {isKept ? <IconCircleCheck size={16} /> : <IconAlertTriangle size={16} />}
      <div>
        <strong>{settingLabel(`colors.${name}`, words)}</strong>{' '}
        {interpolate(words.player.contrast[surface], {
          ratio: number(Math.floor(ratio * 10) / 10),
        })}
        {!isKept && (
          <span className={classes.adjusted}>
            <ColorSwatch color={readable[name]} size={14} />
            {interpolate(words.player.adjusted, { color: readable[name] })}
          </span>
        )}
      </div>
    </li>
  )
}
