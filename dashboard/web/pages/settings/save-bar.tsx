import { Button, Group, Text } from '@mantine/core'
import { ErrorState } from '../../parts/error-state.tsx'
import type { SettingsEditing } from './settings-editing.ts'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

/** What becomes of the changes. It stays in sight while there are any. */
export function SaveBar({ editing }: { editing: SettingsEditing }) {
  const { save, effect } = useSettingsWords()
  const { isDirty, isSaving, isSaved, error, conflict, discard } = editing
  const isUndecided = conflict?.names.some((name) => !conflict.decided.has(name)) ?? false
  return (
    <div className={classes.saveBar} data-dirty={isDirty}>
      {error !== null && isDirty && (
        <div className={classes.failure}>
          <ErrorState error={error} />
          <Text size="sm">{save.again}</Text>
        </div>
      )}
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" component="output">
          {isDirty ? save.unsaved : isSaved ? save.saved : effect}
        </Text>
        <Group gap="xs" justify="flex-end" className={classes.actions}>
          {isDirty && (
            <Button variant="default" onClick={discard} disabled={isSaving}>
              {save.discard}
            </Button>
          )}
          <Button type="submit" disabled={!isDirty || isUndecided} loading={isSaving}>
            {save.submit}
          </Button>
        </Group>
      </Group>
    </div>
  )
}
