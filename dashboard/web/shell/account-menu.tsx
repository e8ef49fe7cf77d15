import { Button, Popover, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../api/me.ts'
import { IconCheck, IconLogout, IconUser } from '../icons/icons.tsx'
import { useWords } from '../locales/words.tsx'
import { ButtonLink } from '../parts/links/links.tsx'
import { AccountPerson } from './account-person.tsx'
import { Appearance } from './appearance-choices.tsx'
import classes from './shell.module.css'

/** The open menu of the account: other accounts, how the dashboard looks and speaks, and the way out. */
export function AccountMenu({ account }: { account: string }) {
  const words = useWords()
  return (
    <Popover
      defaultOpened
      position="top-start"
      width={260}
      shadow="md"
      trapFocus
      floatingStrategy="fixed"
    >
      <Popover.Target>
        <AccountPerson account={account} />
      </Popover.Target>
      <Popover.Dropdown aria-label={words.account.menu}>
        <Stack gap="sm">
          <Accounts account={account} />
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

function Accounts({ account }: { account: string }) {
  const { account: texts } = useWords()
  const { data: me } = useQuery(meQuery(account))
  const accounts = me?.accounts ?? []
  const current = accounts.find(({ id }) => String(id) === account)
  if (accounts.length < 2)
    return (
      current && (
        <Text size="xs" c="dimmed">
          {texts.roles[current.role]}
        </Text>
      )
    )
  return (
    <nav aria-label={texts.accounts}>
      <ul className={classes.accounts}>
        {accounts.map(({ id, name, role }) => (
          <li key={id}>
            {/* Nothing of one account may stay on the screen of another: the page is loaded again. */}
            <a href={`/accounts/${id}`} aria-current={String(id) === account ? 'true' : undefined}>
              <bdi>{name}</bdi>
              <span>{texts.roles[role]}</span>
              {String(id) === account && <IconCheck size={16} />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
