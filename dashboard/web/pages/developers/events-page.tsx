import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, getRouteApi } from '@tanstack/react-router'
import { eventTypesQuery, type EventType } from '../../api/webhooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { PageHeader } from '../../parts/page-header.tsx'
import { SectionTitle } from '../../parts/section.tsx'
import { CodeSnippet } from '../../parts/text/code-snippet.tsx'
import classes from './developers.module.css'
import { useMeaning } from './event-meaning.ts'
import { SampleTabs } from './sample-tabs.tsx'
import { VERIFY_BY_HAND, VERIFY_BY_SDK } from './samples.ts'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/accounts/$account/developers/events')

/** Every event type: when it is sent and what arrives, as the server describes it; and how to verify it. */
function EventsPage() {
  const { catalog } = useDeveloperWords()
  const { account } = route.useParams()
  const { data, error, refetch } = useQuery(eventTypesQuery(account))
  return (
    <>
      <PageHeader title={catalog.title} />
      <p className={layout.intro}>{catalog.intro}</p>
      <Verification />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data?.map((event) => (
        <CatalogEntry key={event.type} event={event} />
      ))}
      {!data && !error && <Skeleton height={640} />}
    </>
  )
}

function Verification() {
  const { catalog } = useDeveloperWords()
  const { raw, time, answer, twice } = catalog.rules
  return (
    <section className={classes.verification} aria-labelledby="verify">
      <div className={layout.section}>
        <SectionTitle id="verify">{catalog.verify}</SectionTitle>
        <Text size="sm">{catalog.verifyText}</Text>
        <ul className={classes.rules}>
          {[raw, time, answer, twice].map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </div>
      <SampleTabs
        label={catalog.verify}
        samples={[
          { name: catalog.withSdk, code: VERIFY_BY_SDK, language: 'typescript' },
          { name: catalog.byHand, code: VERIFY_BY_HAND, language: 'typescript' },
        ]}
      />
    </section>
  )
}

function CatalogEntry({ event }: { event: EventType }) {
  const { catalog } = useDeveloperWords()
  const meaningOf = useMeaning()
  const { type, is_sent: isSent, is_subscribable: canSubscribe, schema } = event
  return (
    <section className={classes.event} id={type} aria-labelledby={`${type}-title`}>
      <div className={layout.section}>
        <SectionTitle id={`${type}-title`}>
          <bdi dir="ltr">{type}</bdi>
        </SectionTitle>
        <Text size="sm">{meaningOf(event)}</Text>
        {!isSent && <span className={classes.note}>{catalog.reserved}</span>}
        {!canSubscribe && <span className={classes.note}>{catalog.testOnly}</span>}
      </div>
      <div>
        <CodeSnippet
          code={inJson(exampleOf(schema))}
          label={`${catalog.example}: ${type}`}
          language="json"
        />
        <details>
          <summary>{catalog.schema}</summary>
          <div>
            <CodeSnippet
              code={inJson(schema)}
              label={`${catalog.schema}: ${type}`}
              language="json"
            />
          </div>
        </details>
      </div>
    </section>
  )
}

/** The example that the schema of an event carries. */
function exampleOf({ examples }: EventType['schema']): unknown {
  return Array.isArray(examples) ? examples[0] : undefined
}

const inJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? ''

export const eventsRoute = createLazyRoute('/accounts/$account/developers/events')({
  component: EventsPage,
})
