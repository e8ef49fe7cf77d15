import { Stack, Text } from '@mantine/core'
import { useWords } from '../locales/words.tsx'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import type { Action } from '../parts/page-actions.ts'
import classes from './palette.module.css'
import { MODIFIER, useShortcutChoice } from './shortcuts.ts'
import { useShellWords } from './words.ts'

interface Props {
  actions: readonly Action[]
  onClose: () => void
}

/** The keys of the actions that have one. */
export function ShortcutHelp({ actions, onClose }: Props) {
  const words = useWords()
  const { palette: texts } = useShellWords()
  const { areOn } = useShortcutChoice()
  const keyed = actions.filter(({ key }) => key !== undefined)
  return (
    <Dialog opened onClose={onClose} title={words.actions.help} size="sm">
      <Stack>
        <dl className={classes.keys}>
          <dt>{texts.open}</dt>
          <dd>
            <kbd>{MODIFIER}</kbd>
            <kbd>k</kbd>
          </dd>
          {areOn &&
            keyed.map(({ id, label, key }) => (
              <Shortcut key={id} label={label} keyName={key ?? ''} />
            ))}
          {areOn && <Shortcut label={words.actions.help} keyName="?" />}
        </dl>
        <Text size="sm" c="dimmed">
          {areOn ? texts.hint : texts.off}
        </Text>
      </Stack>
    </Dialog>
  )
}

const Shortcut = ({ label, keyName }: { label: string; keyName: string }) => (
  <>
    <dt>{label}</dt>
    <dd>
      <kbd>{keyName}</kbd>
    </dd>
  </>
)
