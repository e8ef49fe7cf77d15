import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { isRole, ROLES } from '../../../../domain/accounts/roles.ts'
import { answerOf, apiOf } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import type { CreatedInvitation } from '../../api/team.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { useFormats } from '../../parts/formats.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { useLoss } from '../../parts/unsaved-changes.ts'
import { fill } from '../../words/fill.ts'
import { useWords } from '../../words/words.tsx'
import classes from './team.module.css'
import { useTeamWords } from './words.ts'

const route = getRouteApi('/accounts/$account/team/invite')

/** The dialog that makes an invitation, and then shows its link once. */
function InviteDialog() {
  const { dialog: words } = useTeamWords()
  const { parts } = useWords()
  const { account } = route.useParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const invite = useMutation({
    mutationFn: (form: FormData) =>
      answerOf(apiOf(account).POST('/invitations', { body: bodyOf(form) })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['invitations', account] }),
    // The link stays in no cache.
    gcTime: 0,
  })
  useLoss(invite.isPending, 'secret')
  const close = (): void => void navigate({ to: '/accounts/$account/team', params: { account } })
  if (invite.data) return <Made invitation={invite.data} onClose={close} />
  return (
    <Dialog
      opened
      onClose={close}
      title={words.title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <InviteForm
        error={invite.error}
        isPending={invite.isPending}
        onSubmit={(form) => invite.mutate(form)}
        onClose={close}
      />
    </Dialog>
  )
}

interface FormProps {
  error: unknown
  isPending: boolean
  onSubmit: (form: FormData) => void
  onClose: () => void
}

function InviteForm({ error, isPending, onSubmit, onClose }: FormProps) {
  const { dialog: words } = useTeamWords()
  const { account, parts } = useWords()
  const problem = error === null ? null : problemOf(error)
  const atEmail = problem?.field === 'email' ? problem.message : undefined
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {problem && atEmail === undefined && <ErrorState error={problem} />}
        <Radio.Group name="role" label={words.role} defaultValue="editor">
          <div className={classes.choices}>
            {ROLES.map((role) => (
              <div key={role} className={classes.choice}>
                <Radio value={role} label={account.roles[role]} description={words.roles[role]} />
              </div>
            ))}
          </div>
        </Radio.Group>
        <TextInput
          name="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          label={words.email}
          description={words.emailHint}
          error={atEmail}
          autoComplete="off"
          dir="ltr"
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {parts.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {words.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The link cannot be shown again; the invitation can be withdrawn and made again. */
function Made({ invitation, onClose }: { invitation: CreatedInvitation; onClose: () => void }) {
  const { dialog: words } = useTeamWords()
  const { exact } = useFormats()
  return (
    <SecretOnce
      title={words.madeTitle}
      text={fill(words.made, { time: exact(Date.parse(invitation.expires_at)) })}
      secret={invitation.link}
      onSaved={onClose}
    />
  )
}

function bodyOf(form: FormData) {
  const [role, email] = [form.get('role'), form.get('email')]
  return {
    role: typeof role === 'string' && isRole(role) ? role : ('reader' as const),
    email: typeof email === 'string' && email.trim() !== '' ? email : null,
  }
}

export const inviteRoute = createLazyRoute('/accounts/$account/team/invite')({
  component: InviteDialog,
})
