import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../../../api/settings.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { TextLink } from '../../../parts/links/links.tsx'
import { Section } from '../../../parts/section.tsx'
import { useVideosWords } from '../words.ts'

/** The sites on which the videos of the account play, by its domain rules. */
export function EmbedSites({ account }: { account: string }) {
  const { embed: words } = useVideosWords()
  const { data, error, refetch } = useQuery(settingsQuery(account))
  return (
    <Section title={words.sites}>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height="1lh" width="16rem" />}
      {data && (
        <Rules allowed={data.settings.allowed_domains} blocked={data.settings.blocked_domains} />
      )}
      <TextLink size="sm" to="/accounts/$account/settings/domains" params={{ account }}>
        {words.changeSites}
      </TextLink>
    </Section>
  )
}

function Rules({ allowed, blocked }: { allowed: string[]; blocked: string[] }) {
  const { embed: words } = useVideosWords()
  return (
    <Text size="sm">
      {allowed.length === 0
        ? words.everySite
        : interpolate(words.onlySites, { sites: allowed.join(', ') })}
      {blocked.length > 0 && ` ${interpolate(words.notSites, { sites: blocked.join(', ') })}`}
    </Text>
  )
}
