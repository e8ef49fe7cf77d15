import { ActionIcon, Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { passkeysQuery, type Me, type Passkey } from '../../api/me.ts'
import { isAtOwnAddress } from '../../api/passkeys.ts'
import { IconFingerprint, IconPencil, IconPlus, IconTrash } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import classes from './me.module.css'
import { AddPasskey, RemovePasskey, RenamePasskey } from './passkey-dialogs.tsx'
import { useMeWords } from './words.ts'

/** The dialog that is open, and for which passkey. */
type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey } | null

interface Props {
  account: string
  me: Me
}

/** The own passkeys: add, rename, remove. */
export function Passkeys({ account, me }: Props) {
  const { passkeys: words } = useMeWords()
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery(account))
  const [open, setOpen] = useState<Open>(null)
  const close = (): void => setOpen(null)
  const { origin: here } = location
  const isHere = isAtOwnAddress(me)
  const canAdd = me.can_use_passkeys && isHere
  return (
    <>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!passkeys && !error && <Skeleton height={60} />}
      {passkeys !== undefined && passkeys.length > 0 && (
        <ul className={classes.list}>
          {passkeys.map((passkey) => (
            <Item key={passkey.id} passkey={passkey} onOpen={setOpen} />
          ))}
        </ul>
      )}
      {canAdd ? (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => setOpen({ kind: 'add' })}
          >
            {words.add}
          </Button>
        </Group>
      ) : (
        <Text size="sm">
          {isHere
            ? words.impossible
            : interpolate(words.elsewhere, { own: me.dashboard_url, here })}
        </Text>
      )}
      {open?.kind === 'add' && <AddPasskey account={account} onClose={close} />}
      {open?.kind === 'rename' && (
        <RenamePasskey account={account} passkey={open.passkey} onClose={close} />
      )}
      {open?.kind === 'remove' && (
        <RemovePasskey account={account} passkey={open.passkey} onClose={close} />
      )}
    </>
  )
}

function Item({ passkey, onOpen }: { passkey: Passkey; onOpen: (open: Open) => void }) {
  const { passkeys: words } = useMeWords()
  const { name } = passkey
  return (
    <li className={classes.item}>
      <IconFingerprint size={20} stroke={1.5} />
      <div className={classes.what}>
        <Text size="sm" fw={500}>
          <bdi>{name}</bdi>
        </Text>
        <span className={layout.quiet}>
          {words.used}{' '}
          {passkey.last_used_at === null ? words.never : <RelativeTime at={passkey.last_used_at} />}
        </span>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={interpolate(words.rename, { name })}
        title={words.renameTitle}
        onClick={() => onOpen({ kind: 'rename', passkey })}
      >
        <IconPencil size={18} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={interpolate(words.remove, { name })}
        title={words.removeSubmit}
        onClick={() => onOpen({ kind: 'remove', passkey })}
      >
        <IconTrash size={18} />
      </ActionIcon>
    </li>
  )
}
