import { Button, Popover, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { meQuery } from '../api/me.ts'
import { IconCheck, IconLogout, IconUser } from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
import { ButtonLink } from '../parts/links/links.tsx'
import { AccountPerson } from './account-person.tsx'
import { AccountSign } from './account-sign.tsx'
import { Appearance } from './appearance-choices.tsx'
import classes from './shell.module.css'

/** The open menu of the account: other accounts, how the dashboard looks and speaks, and the way out. */
export function AccountMenu({ account }: { account: string }) {
  const words = useWords()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Popover
      defaultOpened
      onClose={() => button.current?.focus()}
      position="top-start"
      width={272}
      shadow="md"
      trapFocus
      floatingStrategy="fixed"
    >
      <Popover.Target>
        <AccountPerson ref={button} account={account} />
      </Popover.Target>
      <Popover.Dropdown aria-label={words.account.menu}>
        <Stack gap="sm">
          <Accounts account={account} />
          <SignedIn account={account} />
          <ButtonLink
            to="/accounts/$account/me"
            params={{ account }}
            variant="default"
            size="sm"
            fullWidth
            leftSection={<IconUser size={16} />}
          >
            {words.areas.me}
          </ButtonLink>
          <Appearance />
          <form method="post" action="/sign-out">
            <Button
              type="submit"
              variant="default"
              size="sm"
              fullWidth
              leftSection={<IconLogout size={16} />}
            >
              {words.account.signOut}
            </Button>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The accounts of the member, of which one is open. */
function Accounts({ account }: { account: string }) {
  const { account: texts } = useWords()
  const { data: me } = useQuery(meQuery(account))
  const accounts = me?.accounts ?? []
  if (accounts.length < 2) return null
  return (
    <nav aria-label={texts.accounts}>
      <ul className={classes.accounts}>
        {accounts.map(({ id, name, role }) => (
          <li key={id}>
            {/* Nothing of one account may stay on the screen of another: the page is loaded again. */}
            <a href={`/accounts/${id}`} aria-current={String(id) === account ? 'true' : undefined}>
              <AccountSign name={name} />
              <span className={classes.names}>
                <bdi>{name}</bdi>
                <span>{texts.roles[role]}</span>
              </span>
              {String(id) === account && <IconCheck size={16} />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Who is signed in. */
function SignedIn({ account }: { account: string }) {
  const { data: me } = useQuery(meQuery(account))
  return (
    <Text size="xs" c="dimmed" className={classes.signedIn}>
      <bdi>{me?.email}</bdi>
    </Text>
  )
}
