import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { meQuery } from '../../api/me.ts'
import { useWords } from '../../locales/words.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { FailedSignIns } from './failed-sign-ins.tsx'
import { NameForm } from './name-form.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { Preferences } from './preferences.tsx'
import { Section } from './section.tsx'
import { Sessions } from './sessions.tsx'
import { useMeWords } from './words.ts'

const route = getRouteApi('/accounts/$account/me')

/** What members keep about themselves: name, ways to sign in, sessions, and how the dashboard looks. */
function MePage() {
  const words = useMeWords()
  const { areas } = useWords()
  const { account } = route.useParams()
  const { data: me, error, refetch } = useQuery(meQuery(account))
  return (
    <>
      <PageHeader title={areas.me} />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!me && !error && <Skeleton height={420} />}
      {me && (
        <>
          <Section title={words.profile.title} text={words.profile.text}>
            <NameForm account={account} me={me} />
          </Section>
          <Section title={words.password.title} text={words.password.text}>
            <FailedSignIns me={me} />
            <PasswordForm account={account} me={me} />
          </Section>
          <Section title={words.passkeys.title} text={words.passkeys.text}>
            <Passkeys account={account} me={me} />
          </Section>
          <Section title={words.sessions.title} text={words.sessions.text}>
            <Sessions account={account} />
          </Section>
        </>
      )}
      <Section title={words.preferences.title} text={words.preferences.text}>
        <Preferences />
      </Section>
    </>
  )
}

export const meRoute = createLazyRoute('/accounts/$account/me')({ component: MePage })
