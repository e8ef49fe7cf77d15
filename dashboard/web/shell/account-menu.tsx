import {
  Button,
  NativeSelect,
  Popover,
  Stack,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../api/me.ts'
import { useWords } from '../words/words.tsx'
import { Appearance } from './appearance-choices.tsx'
import classes from './shell.module.css'

/** Who is signed in and where: other accounts, how the dashboard looks and speaks, and the way out. */
export function AccountMenu({ account }: { account: string }) {
  const words = useWords()
  const { data: me } = useQuery(meQuery(account))
  const current = me?.accounts.find(({ id }) => String(id) === account)
  const name = current?.name ?? ''
  return (
    <Popover position="top-start" width={260} shadow="md" trapFocus floatingStrategy="fixed">
      <Popover.Target>
        <UnstyledButton className={classes.person}>
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
      </Popover.Target>
      <Popover.Dropdown aria-label={words.account.menu}>
        <Stack gap="sm">
          <Accounts account={account} />
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
    <NativeSelect
      label={texts.accounts}
      value={account}
      // Nothing of one account may stay on the screen of another: the page is loaded again.
      onChange={({ currentTarget }) => location.assign(`/accounts/${currentTarget.value}`)}
      data={accounts.map(({ id, name, role }) => ({
        value: String(id),
        label: `${name} (${texts.roles[role]})`,
      }))}
    />
  )
}
