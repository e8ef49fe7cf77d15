import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ComponentPropsWithRef } from 'react'
import { meQuery } from '../api/me.ts'
import { IconSelector } from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
import { AccountSign } from './account-sign.tsx'
import classes from './shell.module.css'

interface Props extends Omit<ComponentPropsWithRef<'button'>, 'style'> {
  account: string
}

/** The button that shows the open account and the member's role in it. */
export function AccountPerson({ account, ...button }: Props) {
  const { account: words } = useWords()
  const { data: me } = useQuery(meQuery(account))
  const current = me?.accounts.find(({ id }) => String(id) === account)
  return (
    <UnstyledButton {...button} className={classes.person}>
      <VisuallyHidden>{words.menu}</VisuallyHidden>
      <AccountSign name={current?.name ?? ''} />
      <span className={classes.names}>
        <bdi>{current?.name}</bdi>
        <span>{current && words.roles[current.role]}</span>
      </span>
      <IconSelector size={16} />
    </UnstyledButton>
  )
}
