import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery, useMay } from '../../api/me.ts'
import {
  playingCountQuery,
  revealSecret,
  rotateSecret,
  secretVersionQuery,
  type SigningSecret,
} from '../../api/settings.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Section } from '../../parts/section.tsx'
import { CodeSnippet } from '../../parts/text/code-snippet.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

interface Props {
  account: string
}

/** The secret that signs viewer tokens: hidden, for owners to show and to replace. */
export function SecretSection({ account }: Props) {
  const { secret } = useSettingsWords()
  const { data: me } = useQuery(meQuery(account))
  const maySee = useMay(account, 'secrets:write')
  if (!me) return null
  return (
    <Section id="secret" title={secret.title} hint={secret.text} className={classes.card}>
      {maySee ? <Secret account={account} /> : <Text size="sm">{secret.ownersOnly}</Text>}
    </Section>
  )
}

/** A secret is kept only while it is shown, and is the current one. */
function Secret({ account }: Props) {
  const { secret: words } = useSettingsWords()
  const [known, setKnown] = useState<SigningSecret | null>(null)
  const [isRotating, setRotating] = useState(false)
  const [isRotated, setRotated] = useState(false)
  const { data: version } = useQuery({ ...secretVersionQuery(account), enabled: known !== null })
  const isReplaced = known !== null && version !== undefined && version > known.version
  const shown = known === null || isReplaced ? null : known.secret
  const reveal = useMutation({
    mutationFn: () => revealSecret(account),
    gcTime: 0,
    onSuccess(secret) {
      setKnown(secret)
      setRotated(false)
      reveal.reset()
    },
  })
  return (
    <>
      {(isRotated || isReplaced) && (
        <Text size="sm" component="output">
          {isReplaced ? words.replaced : words.rotated}
        </Text>
      )}
      {reveal.error && <ErrorState error={reveal.error} />}
      {shown === null ? (
        <div className={classes.hidden} aria-hidden>
          {'•'.repeat(32)}
        </div>
      ) : (
        <CodeSnippet code={shown} label={words.label} />
      )}
      <Group gap="xs">
        {shown === null ? (
          <Button variant="default" loading={reveal.isPending} onClick={() => reveal.mutate()}>
            {words.reveal}
          </Button>
        ) : (
          <Button variant="default" onClick={() => setKnown(null)}>
            {words.hide}
          </Button>
        )}
        <Button variant="default" onClick={() => setRotating(true)}>
          {words.rotate}
        </Button>
      </Group>
      {isRotating && (
        <RotateDialog
          account={account}
          onRotated={(secret) => {
            setKnown(secret)
            setRotated(true)
            setRotating(false)
          }}
          onClose={() => setRotating(false)}
        />
      )}
    </>
  )
}

interface DialogProps extends Props {
  onRotated: (secret: SigningSecret) => void
  onClose: () => void
}

function RotateDialog({ account, onRotated, onClose }: DialogProps) {
  const { secret: words } = useSettingsWords()
  const { number } = useFormats()
  const { data: me } = useQuery(meQuery(account))
  const { data: playing } = useQuery(playingCountQuery(account))
  const name = me?.accounts.find(({ id }) => String(id) === account)?.name ?? ''
  const rotate = useMutation({
    mutationFn: () => rotateSecret(account, name),
    gcTime: 0,
    onSuccess: onRotated,
  })
  return (
    <ConfirmDialog
      title={words.rotateTitle}
      expected={name.trim()}
      submit={words.rotate}
      action={rotate}
      onClose={onClose}
    >
      <ul className={classes.consequences}>
        <li>{words.stops}</li>
        <li>
          {interpolate(words.playing, { number: playing === undefined ? '…' : number(playing) })}
        </li>
        <li>{words.next}</li>
      </ul>
    </ConfirmDialog>
  )
}
