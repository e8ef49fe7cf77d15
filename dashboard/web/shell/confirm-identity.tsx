import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { apiOf, unwrap } from '../api/client.ts'
import { meQuery } from '../api/me.ts'
import { confirmWithPasskey, isAtOwnAddress } from '../api/passkeys.ts'
import { problemOf } from '../api/problem.ts'
import { IconFingerprint } from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { ErrorState } from '../parts/error-state.tsx'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { useShellWords } from './words.ts'

interface Props {
  account: string
  onResponse: (isConfirmed: boolean) => void
}

/** Asks for the password or a passkey, because an operation requires a fresh confirmation. */
export function ConfirmIdentity({ account, onResponse }: Props) {
  const { confirm: words } = useShellWords()
  const { data: me } = useQuery(meQuery(account))
  const takesPasskey = me?.has_passkeys && me.can_use_passkeys && isAtOwnAddress(me)
  return (
    <Dialog
      opened
      onClose={() => onResponse(false)}
      title={words.title}
      size="sm"
      // Above the dialog whose button asks for it.
      zIndex={300}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{words.text}</Text>
        {takesPasskey && <PasskeyButton account={account} onResponse={onResponse} />}
        {takesPasskey && me.has_password && <Divider label={words.or} />}
        {me?.has_password && <PasswordForm account={account} onResponse={onResponse} />}
      </Stack>
    </Dialog>
  )
}

function PasskeyButton({ account, onResponse }: Props) {
  const { confirm: words } = useShellWords()
  const use = useMutation({
    mutationFn: () => confirmWithPasskey(account),
    onSuccess: () => onResponse(true),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} />}
        loading={use.isPending}
        onClick={() => use.mutate()}
      >
        {words.passkey}
      </Button>
      {use.error && (
        <Text size="sm" role="alert">
          {words.noPasskey}
        </Text>
      )}
    </>
  )
}

function PasswordForm({ account, onResponse }: Props) {
  const { parts } = useWords()
  const { confirm: words } = useShellWords()
  const { data: me } = useQuery(meQuery(account))
  const check = useMutation({
    mutationFn: (password: string) =>
      unwrap(apiOf(account).POST('/me/elevation', { body: { password } })),
    onSuccess: () => onResponse(true),
  })
  const problem = check.error && problemOf(check.error)
  const texts: Record<string, string> = {
    wrong_credentials: words.wrong,
    too_many_guesses: words.tooMany,
  }
  const text = problem ? texts[problem.code] : undefined
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const password = new FormData(event.currentTarget).get('password')
    if (typeof password === 'string') check.mutate(password)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {problem && text === undefined && <ErrorState error={problem} />}
        {/* For password managers. */}
        <input type="hidden" name="username" autoComplete="username" value={me?.email ?? ''} />
        <PasswordField
          name="password"
          label={words.password}
          autoComplete="current-password"
          error={text}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onResponse(false)}>
            {parts.cancel}
          </Button>
          <Button type="submit" loading={check.isPending}>
            {words.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
