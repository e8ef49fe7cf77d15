import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { RefusedHost } from '../../api/settings.ts'
import { useFormats } from '../../parts/formats.ts'
import { fill } from '../../words/fill.ts'
import { useWords } from '../../words/words.tsx'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

interface Props {
  hosts: RefusedHost[]
  onSave: () => void
  onClose: () => void
}

/** Asks before rules are saved that refuse sites which played videos in the last day. */
export function RefusedHosts({ hosts, onSave, onClose }: Props) {
  const { parts } = useWords()
  const { refused } = useSettingsWords()
  const { number } = useFormats()
  return (
    <Modal
      opened
      onClose={onClose}
      title={refused.title}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <Stack>
        <Text size="sm">{fill(refused.text, { number: number(hosts.length) })}</Text>
        <ul className={classes.refused}>
          {hosts.map(({ host, play_count: plays }) => (
            <li key={host}>
              <bdi>{host}</bdi>
              <span>{fill(refused.plays, { number: number(plays) })}</span>
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {parts.cancel}
          </Button>
          <Button color="red" onClick={onSave}>
            {refused.submit}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
