import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { apiOf, unwrap } from '../../../api/client.ts'
import { useMay } from '../../../api/me.ts'
import type { Endpoint } from '../../../api/webhooks.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { Section } from '../../../parts/section.tsx'
import { CopyButton } from '../../../parts/text/copy-button.tsx'
import { CopiedFact, Fact, Facts } from '../../../parts/text/facts.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { CodeChips } from '../code-chips.tsx'
import { useDeveloperWords } from '../words.ts'

interface Props {
  account: string
  endpoint: Endpoint
}

/** What is known of an endpoint. */
export function EndpointFacts({ account, endpoint }: Props) {
  const { endpoints: words } = useDeveloperWords()
  const { id, url, events, description } = endpoint
  return (
    <Section title={words.facts}>
      <Facts>
        <Fact
          name={words.endpoint}
          value={
            <>
              <bdi dir="ltr">{url}</bdi>
              <CopyButton text={url} label={words.endpoint} />
            </>
          }
        />
        <CopiedFact name={words.id} value={String(id)} />
        <Fact name={words.events} value={<CodeChips names={events} />} />
        <Fact name={words.description} value={description && <bdi>{description}</bdi>} />
        <Fact name={words.secret} value={words.secretHidden} />
        <Fact name={words.overlap} value={<Overlap account={account} endpoint={endpoint} />} />
        <Fact name={words.created} value={<RelativeTime at={endpoint.created_at} />} />
        <Fact name={words.changed} value={<RelativeTime at={endpoint.updated_at} />} />
      </Facts>
    </Section>
  )
}

/** Until when a replaced secret also signs, with the button that ends it. */
function Overlap({ account, endpoint: { id, previous_secret_expires_at: until } }: Props) {
  const { endpoints: words } = useDeveloperWords()
  const { exact } = useFormats()
  const mayWrite = useMay(account, 'webhooks:write')
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: () => {
      const params = { path: { id } }
      const path = '/v1/webhook-endpoints/{id}/expire-previous-secrets'
      return unwrap(apiOf(account).POST(path, { params }))
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['endpoints', account] }),
  })
  if (until === null) return '–'
  return (
    <>
      {interpolate(words.overlapText, { time: exact(Date.parse(until)) })}
      {mayWrite && (
        <Button
          size="compact-xs"
          variant="default"
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          {words.overlapEnd}
        </Button>
      )}
      {end.error && <ErrorState error={end.error} />}
    </>
  )
}
