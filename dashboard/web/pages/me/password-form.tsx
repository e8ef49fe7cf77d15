import { Checkbox } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../../domain/limits.ts'
import { apiOf, unwrap } from '../../api/client.ts'
import type { Me } from '../../api/me.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { PasswordField } from '../../parts/forms/password-field.tsx'
import { notify } from '../../parts/notify.ts'
import { FieldForm } from './field-form.tsx'
import { useMeWords } from './words.ts'

/** Sets a new password. The old one is asked by the confirmation that the operation requires. */
export function PasswordForm({ account, me }: { account: string; me: Me }) {
  const { password: words } = useMeWords()
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const [removesPasskeys, setRemovesPasskeys] = useState(true)
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        apiOf(account).POST('/me/password', {
          body: { password, remove_passkeys: removesPasskeys },
        }),
      ),
    async onSuccess(saved) {
      setPassword('')
      notify(words.done)
      client.setQueryData(['me', account], saved)
      await Promise.all(
        ['sessions', 'passkeys'].map((kind) =>
          client.invalidateQueries({ queryKey: [kind, account] }),
        ),
      )
    },
  })
  return (
    <FieldForm field="password" isDirty={password !== ''} saving={save} submit={words.submit}>
      {(refusal) => (
        <>
          <input type="hidden" name="username" autoComplete="username" value={me.email} />
          <PasswordField
            label={words.label}
            description={interpolate(words.hint, { number: PASSWORD_MIN_LENGTH })}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            error={refusal !== undefined && words.refused}
            minLength={PASSWORD_MIN_LENGTH}
            maxLength={PASSWORD_MAX_LENGTH}
            autoComplete="new-password"
          />
          {me.has_passkeys && (
            <Checkbox
              label={words.removePasskeys}
              description={words.removePasskeysHint}
              checked={removesPasskeys}
              onChange={({ currentTarget }) => setRemovesPasskeys(currentTarget.checked)}
            />
          )}
        </>
      )}
    </FieldForm>
  )
}
