import { Radio, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import { ROLES, type Role } from '../../../../domain/accounts/roles.ts'
import { apiOf, unwrap } from '../../api/client.ts'
import type { CreatedInvitation } from '../../api/team.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { FormDialog, type Saving } from '../../parts/dialogs/form-dialog.tsx'
import { SecretOnce } from '../../parts/dialogs/secret-once.tsx'
import { useLoss } from '../../parts/forms/unsaved-changes.ts'
import { useFormats } from '../../parts/text/formats.ts'
import classes from './team.module.css'
import { useTeamWords } from './words.ts'

const route = getRouteApi('/accounts/$account/team/invite')

interface Invited {
  role: Role
  email: string
}

/** The dialog that makes an invitation, and then shows its link once. */
function InviteDialog() {
  const { account } = route.useParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const invite = useMutation({
    mutationFn: ({ role, email }: Invited) => {
      const body = { role, email: email.trim() === '' ? null : email }
      return unwrap(apiOf(account).POST('/invitations', { body }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['invitations', account] }),
    // The link stays in no cache.
    gcTime: 0,
  })
  useLoss(invite.isPending, 'secret')
  const close = (): void => void navigate({ to: '/accounts/$account/team', params: { account } })
  if (invite.data) return <Made invitation={invite.data} onClose={close} />
  return <InviteForm invite={invite} onClose={close} />
}

function InviteForm({ invite, onClose }: { invite: Saving<Invited>; onClose: () => void }) {
  const { dialog: words } = useTeamWords()
  const { roles } = useWords().account
  const form = useForm<Invited>({ initialValues: { role: 'editor', email: '' } })
  return (
    <FormDialog
      title={words.title}
      form={form}
      save={invite}
      submit={words.submit}
      onClose={onClose}
    >
      {(field) => (
        <>
          <Radio.Group {...field('role')} label={words.role}>
            <div className={classes.choices}>
              {ROLES.map((role) => (
                <div key={role} className={classes.choice}>
                  <Radio value={role} label={roles[role]} description={words.roles[role]} />
                </div>
              ))}
            </div>
          </Radio.Group>
          <TextInput
            {...field('email')}
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            label={words.email}
            description={words.emailHint}
            autoComplete="off"
            dir="ltr"
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  )
}

/** The link cannot be shown again; the invitation can be withdrawn and made again. */
function Made({ invitation, onClose }: { invitation: CreatedInvitation; onClose: () => void }) {
  const { dialog: words } = useTeamWords()
  const { exact } = useFormats()
  return (
    <SecretOnce
      title={words.madeTitle}
      text={interpolate(words.made, { time: exact(Date.parse(invitation.expires_at)) })}
      secret={invitation.link}
      onSaved={onClose}
    />
  )
}

export const inviteRoute = createLazyRoute('/accounts/$account/team/invite')({
  component: InviteDialog,
})
