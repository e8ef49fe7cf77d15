import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { SCOPES, type Scope } from '../../../../../domain/accounts/scopes.ts'
import { API_KEY_NAME_MAX_LENGTH } from '../../../../../domain/limits.ts'
import { apiOf, unwrap } from '../../../api/client.ts'
import { addressesQuery } from '../../../api/keys.ts'
import { FormDialog, type Saving } from '../../../parts/dialogs/form-dialog.tsx'
import { SecretOnce } from '../../../parts/dialogs/secret-once.tsx'
import { useLoss } from '../../../parts/forms/unsaved-changes.ts'
import { CodeSnippet } from '../../../parts/text/code-snippet.tsx'
import { setKey, tryKey } from '../samples.ts'
import { useDeveloperWords } from '../words.ts'

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

interface NewKey {
  name: string
  scopes: Scope[]
}

/** The dialog that creates a key, and then shows it, this once. */
function CreateKey() {
  const { keys } = useDeveloperWords()
  const { account } = route.useParams()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const { data: addresses } = useQuery(addressesQuery(account))
  const create = useMutation({
    mutationFn: ({ name, scopes }: NewKey) => {
      const body = { name, scopes: SCOPES.filter((scope) => scopes.includes(scope)) }
      return unwrap(apiOf(account).POST('/keys', { body }))
    },
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

function KeyForm({ create, onClose }: { create: Saving<NewKey>; onClose: () => void }) {
  const { keys, scopes: meanings } = useDeveloperWords()
  const form = useForm<NewKey>({ initialValues: { name: '', scopes: [...USUAL] } })
  return (
    <FormDialog
      title={keys.createTitle}
      size="lg"
      form={form}
      save={create}
      submit={keys.create}
      isReady={form.values.scopes.length > 0}
      onClose={onClose}
    >
      {(field) => (
        <>
          <TextInput
            {...field('name')}
            label={keys.name}
            description={keys.nameHint}
            maxLength={API_KEY_NAME_MAX_LENGTH}
            autoComplete="off"
            dir="auto"
            required
            data-autofocus
          />
          <Checkbox.Group {...field('scopes')} label={keys.scopes} description={keys.scopesHint}>
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
        </>
      )}
    </FormDialog>
  )
}

export const createKeyRoute = createLazyRoute('/accounts/$account/developers/keys/create')({
  component: CreateKey,
})
