import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { API_KEY_NAME_MAX_LENGTH } from '../../../../domain/limits.ts'
import { SCOPES } from '../../../../domain/accounts/scopes.ts'
import type { Scope } from '../../../../domain/accounts/scopes.ts'
import { answerOf, apiOf } from '../../api/client.ts'
import { addressesQuery } from '../../api/keys.ts'
import { problemOf } from '../../api/problem.ts'
import { CodeSnippet } from '../../parts/code-snippet.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { useLoss } from '../../parts/unsaved-changes.ts'
import { useWords } from '../../words/words.tsx'
import { setKey, tryKey } from './samples.ts'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/keys/create')

/** What most programs need: add videos, and let viewers play them. */
const USUAL: readonly Scope[] = ['videos:read', 'videos:write', 'playback:sign']

/** A call that a key of each scope can make. */
const TRIALS: readonly (readonly [Scope, string])[] = [
  ['account:read', '/v1/account'],
  ['videos:read', '/v1/videos'],
  ['folders:read', '/v1/folders'],
  ['webhooks:read', '/v1/webhook-endpoints'],
  ['settings:read', '/v1/settings/player'],
  ['usage:read', '/v1/usage'],
]

/** The dialog that creates a key, and then shows it, this once. */
function CreateKey() {
  const { keys } = useDeveloperWords()
  const { account } = route.useParams()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const { data: addresses } = useQuery(addressesQuery(account))
  const create = useMutation({
    mutationFn: (body: { name: string; scopes: Scope[] }) =>
      answerOf(apiOf(account).POST('/keys', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys', account] }),
    // The key stays in no cache.
    gcTime: 0,
  })
  useLoss(create.isPending, 'secret')
  const close = (): void =>
    void navigate({
      to: '/accounts/$account/developers/keys',
      params: { account },
      search: (now) => now,
    })
  if (!create.data) return <KeyForm create={create} onClose={close} />
  const { key, scopes } = create.data
  const trial = TRIALS.find(([scope]) => scopes.includes(scope))
  return (
    <SecretOnce title={keys.shownTitle} text={keys.shownText} secret={key} onSaved={close}>
      {addresses && trial && (
        <CodeSnippet
          code={`${setKey(key)}\n${tryKey(addresses, trial[1])}`}
          label={keys.shownTry}
          language="shell"
        />
      )}
    </SecretOnce>
  )
}

interface FormProps {
  create: {
    mutate: (body: { name: string; scopes: Scope[] }) => void
    isPending: boolean
    error: Error | null
  }
  onClose: () => void
}

function KeyForm({ create, onClose }: FormProps) {
  const { parts } = useWords()
  const { keys } = useDeveloperWords()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly string[]>(USUAL)
  const problem = create.error && problemOf(create.error)
  const isAtName = problem?.field === 'name'
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ name, scopes: SCOPES.filter((scope) => scopes.includes(scope)) })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={keys.createTitle}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          {problem && !isAtName && <ErrorState error={problem} />}
          <TextInput
            label={keys.name}
            description={keys.nameHint}
            error={isAtName && problem.message}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={API_KEY_NAME_MAX_LENGTH}
            autoComplete="off"
            dir="auto"
            required
            data-autofocus
          />
          <ScopeChoice chosen={scopes} onChange={setScopes} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {parts.cancel}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={scopes.length === 0}>
              {keys.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface ScopeProps {
  chosen: readonly string[]
  onChange: (scopes: string[]) => void
}

function ScopeChoice({ chosen, onChange }: ScopeProps) {
  const { keys, scopes: meanings } = useDeveloperWords()
  return (
    <Checkbox.Group
      label={keys.scopes}
      description={keys.scopesHint}
      value={[...chosen]}
      onChange={onChange}
    >
      <Stack gap="xs" mt="sm">
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={meanings[scope]}
            description={<code dir="ltr">{scope}</code>}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

export const createKeyRoute = createLazyRoute('/accounts/$account/developers/keys/create')({
  component: CreateKey,
})
