import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import { VIEWER_ID_MAX_LENGTH } from '../../../../domain/limits.ts'
import { apiOf, unwrap } from '../../api/client.ts'
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx'
import { notify } from '../../parts/notify.ts'
import { useSecurityWords } from './words.ts'

const route = getRouteApi('/accounts/$account/security/viewers/revoke')

/** The dialog that revokes a viewer. The address may name the viewer, as the list of playing sessions does. */
function RevokeViewer() {
  const { viewers } = useSecurityWords()
  const { account } = route.useParams()
  const { viewer = '' } = route.useSearch()
  const form = useForm({ initialValues: { viewer_id: viewer } })
  const client = useQueryClient()
  const navigate = useNavigate()
  const close = () => navigate({ to: '/accounts/$account/security/viewers', params: { account } })
  const revoke = useMutation({
    mutationFn: (body: typeof form.values) =>
      unwrap(apiOf(account).POST('/viewers/revoke', { body })),
    async onSuccess() {
      notify(viewers.revoked)
      await client.invalidateQueries({ queryKey: ['viewers', account] })
      await close()
    },
  })
  return (
    <FormDialog
      title={viewers.revoke}
      form={form}
      save={revoke}
      submit={viewers.revokeSubmit}
      color="red"
      onClose={() => void close()}
    >
      {(field) => (
        <>
          <TextInput
            {...field('viewer_id')}
            label={viewers.id}
            description={viewers.idHint}
            maxLength={VIEWER_ID_MAX_LENGTH}
            autoComplete="off"
            dir="auto"
            required
            data-autofocus
          />
          <Text size="sm">{viewers.revokeText}</Text>
        </>
      )}
    </FormDialog>
  )
}

export const revokeRoute = createLazyRoute('/accounts/$account/security/viewers/revoke')({
  component: RevokeViewer,
})
