import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { MEMBER_NAME_MAX_LENGTH } from '../../../../domain/limits.ts'
import { answerOf, apiOf } from '../../api/client.ts'
import type { Me } from '../../api/me.ts'
import { problemOf } from '../../api/problem.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { notify } from '../../parts/notify.ts'
import { useUnsavedChanges } from '../../parts/unsaved-changes.ts'
import classes from './me.module.css'
import { useMeWords } from './words.ts'

/** The own name, which the team sees. */
export function NameForm({ account, me }: { account: string; me: Me }) {
  const words = useMeWords()
  const client = useQueryClient()
  const [name, setName] = useState(me.name)
  const isDirty = name.trim() !== me.name
  useUnsavedChanges(isDirty)
  const save = useMutation({
    mutationFn: () => answerOf(apiOf(account).PATCH('/me', { body: { name: name.trim() } })),
    async onSuccess(saved) {
      setName(saved.name)
      notify(words.saved)
      client.setQueryData(['me', account], saved)
      await client.invalidateQueries({ queryKey: ['members', account] })
    },
  })
  const problem = save.error && problemOf(save.error)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      {problem && problem.field !== 'name' && <ErrorState error={problem} />}
      <TextInput
        label={words.profile.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={problem?.field === 'name' ? problem.message : undefined}
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
      <Button type="submit" disabled={!isDirty} loading={save.isPending}>
        {words.save}
      </Button>
    </form>
  )
}
