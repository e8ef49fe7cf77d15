import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MEMBER_NAME_MAX_LENGTH } from '../../../../domain/limits.ts'
import { apiOf, unwrap } from '../../api/client.ts'
import type { Me } from '../../api/me.ts'
import { notify } from '../../parts/notify.ts'
import { FieldForm } from './field-form.tsx'
import { useMeWords } from './words.ts'

/** The own name, which the team sees. */
export function NameForm({ account, me }: { account: string; me: Me }) {
  const words = useMeWords()
  const client = useQueryClient()
  const [name, setName] = useState(me.name)
  const isDirty = name.trim() !== me.name
  const save = useMutation({
    mutationFn: () => unwrap(apiOf(account).PATCH('/me', { body: { name: name.trim() } })),
    async onSuccess(saved) {
      setName(saved.name)
      notify(words.saved)
      client.setQueryData(['me', account], saved)
      await client.invalidateQueries({ queryKey: ['members', account] })
    },
  })
  return (
    <FieldForm field="name" isDirty={isDirty} saving={save} submit={words.save}>
      {(refusal) => (
        <>
          <TextInput
            label={words.profile.name}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={refusal}
            maxLength={MEMBER_NAME_MAX_LENGTH}
            autoComplete="name"
            dir="auto"
          />
          <TextInput
            label={words.profile.email}
            value={me.email}
            description={words.profile.emailHint}
            dir="ltr"
            readOnly
          />
        </>
      )}
    </FieldForm>
  )
}
