import { Alert, Radio, Text } from '@mantine/core'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { fill } from '../../words/fill.ts'
import { SettingValue, settingLabel } from './setting-values.tsx'
import classes from './settings.module.css'
import type { Conflict, SettingsEditing, Side } from './settings-editing.ts'
import { useSettingsWords } from './words.ts'

const SIDES: readonly Side[] = ['mine', 'theirs']

interface Props {
  conflict: Conflict
  decide: SettingsEditing['decide']
}

/** Both values of each setting that two editors have changed, with the choice between them. */
export function ConflictNotice({ conflict, decide }: Props) {
  const words = useSettingsWords()
  const { names, taken } = conflict
  const takenLabels = taken.map((name) => settingLabel(name, words)).join(', ')
  return (
    <Alert color="pine" variant="light" title={words.conflict.title} icon={<IconUsers size={18} />}>
      <Text size="sm">{names.length > 0 ? words.conflict.choose : words.conflict.kept}</Text>
      {names.map((name) => (
        <Choice key={name} name={name} conflict={conflict} decide={decide} />
      ))}
      {taken.length > 0 && (
        <Text size="sm" mt="xs">
          {fill(words.conflict.taken, { names: takenLabels })}
        </Text>
      )}
    </Alert>
  )
}

function Choice({ name, conflict, decide }: Props & { name: string }) {
  const words = useSettingsWords()
  return (
    <fieldset className={classes.choice}>
      <legend>{settingLabel(name, words)}</legend>
      {SIDES.map((side) => (
        <Radio
          key={side}
          name={name}
          checked={conflict.decided.get(name) === side}
          onChange={() => decide(name, side)}
          label={
            <>
              <strong>{words.conflict[side]}</strong>{' '}
              <SettingValue name={name} settings={conflict[side]} />
            </>
          }
        />
      ))}
    </fieldset>
  )
}
