import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ComponentPropsWithRef } from 'react'
import { meQuery } from '../api/me.ts'
import { IconSelector } from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
import classes from './shell.module.css'

interface Props extends Omit<ComponentPropsWithRef<'button'>, 'style'> {
  account: string
}

/** The button that shows who is signed in, and where. */
export function AccountPerson({ account, ...button }: Props) {
  const words = useWords()
  const { data: me } = useQuery(meQuery(account))
  const name = me?.accounts.find(({ id }) => String(id) === account)?.name ?? ''
  return (
    <UnstyledButton {...button} className={classes.person}>
      <VisuallyHidden>{words.account.menu}</VisuallyHidden>
      <span className={classes.initial} aria-hidden>
        {/^./u.exec(name)?.[0].toUpperCase()}
      </span>
      <span className={classes.names}>
        <bdi>{name}</bdi>
        <bdi>{me?.email}</bdi>
      </span>
      <IconSelector size={16} />
    </UnstyledButton>
  )
}
