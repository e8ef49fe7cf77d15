import { Switch } from '@mantine/core'
import { Appearance } from '../../shell/appearance-choices.tsx'
import { useShortcutChoice } from '../../shell/shortcuts.ts'
import classes from './me.module.css'
import { useMeWords } from './words.ts'

/** How the dashboard looks and speaks in this browser. */
export function Preferences() {
  const { preferences: words } = useMeWords()
  const { areOn, choose } = useShortcutChoice()
  return (
    <div className={classes.form}>
      <Appearance />
      <Switch
        label={words.shortcuts}
        description={words.shortcutsHint}
        checked={areOn}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
    </div>
  )
}
