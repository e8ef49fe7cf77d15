import { Button, Group, Stack, Text } from '@mantine/core'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import type { RefusedPlays } from './settings-editing.ts'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

interface Props {
  refused: RefusedPlays
  onSave: () => void
  onClose: () => void
}

/** Asks before rules are saved that refuse what was played in the last day, or that erase viewers. */
export function RefusedPlaysDialog({
  refused: { hosts, withoutToken, erasesViewers },
  onSave,
  onClose,
}: Props) {
  const { parts } = useWords()
  const { refused } = useSettingsWords()
  const { number } = useFormats()
  const playsTitle = hosts.length > 0 ? refused.title : refused.playsTitle
  const title = erasesViewers ? refused.erasesTitle : playsTitle
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Stack>
        {erasesViewers && <Text size="sm">{refused.erases}</Text>}
        {withoutToken > 0 && (
          <Text size="sm">
            {interpolate(refused.withoutToken, { number: number(withoutToken) })}
          </Text>
        )}
        {hosts.length > 0 && (
          <>
            <Text size="sm">{interpolate(refused.text, { number: number(hosts.length) })}</Text>
            <ul className={classes.refused}>
              {hosts.map(({ host, play_count: plays }) => (
                <li key={host}>
                  <bdi>{host}</bdi>
                  <span>{interpolate(refused.plays, { number: number(plays) })}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {parts.cancel}
          </Button>
          <Button color="red" onClick={onSave}>
            {erasesViewers ? refused.erasesSubmit : refused.submit}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
