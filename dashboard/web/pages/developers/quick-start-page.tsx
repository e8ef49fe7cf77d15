import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { addressesQuery } from '../../api/keys.ts'
import { useMay } from '../../api/me.ts'
import { videosQuery } from '../../api/videos.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { ButtonLink } from '../../parts/links/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { SectionTitle } from '../../parts/section.tsx'
import { CodeSnippet } from '../../parts/text/code-snippet.tsx'
import classes from './developers.module.css'
import { DocsLink } from './docs-link.tsx'
import { SampleTabs } from './sample-tabs.tsx'
import {
  embedSample,
  postByCurl,
  postBySdk,
  setKey,
  VERIFY_BY_HAND,
  VERIFY_BY_SDK,
  type Addresses,
} from './samples.ts'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/')

/** From a key to a playing video, with the account's own addresses and ids. */
function QuickStartPage() {
  const { start } = useDeveloperWords()
  const { account } = route.useParams()
  const { data: addresses, error, refetch } = useQuery(addressesQuery(account))
  return (
    <>
      <PageHeader title={start.title} actions={<DocsLink account={account} />} />
      <p className={layout.intro}>{start.intro}</p>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {addresses && <Steps account={account} addresses={addresses} />}
      {!addresses && !error && <Skeleton height={640} maw="52rem" />}
    </>
  )
}

interface StepsProps {
  account: string
  addresses: Addresses
}

function Steps({ account, addresses }: StepsProps) {
  const { start } = useDeveloperWords()
  const { data: videos } = useQuery(videosQuery(account, {}))
  const [newest] = videos?.data ?? []
  return (
    <ol className={classes.steps}>
      <KeyStep account={account} />
      <Step title={start.video} text={start.videoText}>
        <SampleTabs
          label={start.video}
          samples={[
            { name: start.http, code: postByCurl(addresses), language: 'shell' },
            { name: start.sdk, code: postBySdk(addresses), language: 'typescript' },
            { name: start.install, code: 'npm install @reelgate/sdk', language: 'shell' },
          ]}
        />
      </Step>
      <Step
        title={start.embed}
        text={newest ? `${start.embedText} ${start.embedLast}` : start.embedText}
      >
        <CodeSnippet code={embedSample(addresses, newest)} label={start.embed} language="html" />
      </Step>
      <WebhookStep account={account} />
    </ol>
  )
}

function KeyStep({ account }: { account: string }) {
  const { start } = useDeveloperWords()
  const mayCreate = useMay(account, 'keys:write')
  return (
    <Step title={start.key} text={mayCreate ? start.keyText : `${start.keyText} ${start.keyOwner}`}>
      <CodeSnippet code={setKey('rg_live_…')} label={start.key} language="shell" />
      {mayCreate && (
        <ButtonLink
          to="/accounts/$account/developers/keys/create"
          params={{ account }}
          variant="default"
          w="max-content"
        >
          {start.keyButton}
        </ButtonLink>
      )}
    </Step>
  )
}

function WebhookStep({ account }: { account: string }) {
  const { start, catalog } = useDeveloperWords()
  const mayAdd = useMay(account, 'webhooks:write')
  return (
    <Step title={start.webhook} text={start.webhookText}>
      <SampleTabs
        label={start.webhook}
        samples={[
          { name: catalog.withSdk, code: VERIFY_BY_SDK, language: 'typescript' },
          { name: catalog.byHand, code: VERIFY_BY_HAND, language: 'typescript' },
        ]}
      />
      {mayAdd && (
        <ButtonLink
          to="/accounts/$account/developers/webhooks/add"
          params={{ account }}
          variant="default"
          w="max-content"
        >
          {start.webhookButton}
        </ButtonLink>
      )}
    </Step>
  )
}

interface StepProps {
  title: string
  text: string
  children: ReactNode
}

const Step = ({ title, text, children }: StepProps) => (
  <li>
    <div className={classes.step}>
      <SectionTitle>{title}</SectionTitle>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {children}
    </div>
  </li>
)

export const quickStartRoute = createLazyRoute('/accounts/$account/developers/')({
  component: QuickStartPage,
})
