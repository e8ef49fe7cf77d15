import { Code, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { WEBHOOK_RESPONSE_BODY_MAX_BYTES } from '../../../../../domain/limits.ts'
import type { Attempt, Delivery } from '../../../api/deliveries.ts'
import { endpointQuery, eventQuery } from '../../../api/webhooks.ts'
import layout from '../../../parts/layout.module.css'
import { Section } from '../../../parts/section.tsx'
import { CodeSnippet } from '../../../parts/text/code-snippet.tsx'
import { Fact, Facts } from '../../../parts/text/facts.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import classes from '../developers.module.css'
import { useDeveloperWords } from '../words.ts'
import { AttemptPhases } from './attempt-phases.tsx'
import { useCauseText, useFailureText } from './failure-text.ts'
import { PlainText, visibleText } from './plain-text.tsx'

interface Props {
  account: string
  delivery: Delivery
  /** Undefined before the first one. */
  attempt: Attempt | undefined
}

/** The request and the response of an attempt, side by side, and how long its phases took. */
export function AttemptView({ account, delivery, attempt }: Props) {
  const { delivery: words } = useDeveloperWords()
  return (
    <>
      <div className={classes.halves}>
        <Section title={words.request}>
          <SentRequest account={account} delivery={delivery} />
        </Section>
        {attempt && (
          <Section id="answer" title={words.answer}>
            <ReceivedResponse attempt={attempt} />
          </Section>
        )}
      </div>
      {attempt && (
        <Section title={words.phases}>
          <AttemptPhases attempt={attempt} />
        </Section>
      )}
    </>
  )
}

/** What every attempt of the delivery sends; only the signature differs. */
function SentRequest({ account, delivery }: Omit<Props, 'attempt'>) {
  const { delivery: words } = useDeveloperWords()
  const { data: endpoint } = useQuery(endpointQuery(account, delivery.endpoint_id))
  const { data: event, error } = useQuery(eventQuery(account, delivery.event_id))
  return (
    <>
      <Text size="sm" dir="ltr" className={classes.mono}>
        POST <bdi>{endpoint?.url}</bdi>
      </Text>
      <Headers
        headers={{
          'content-type': 'application/json',
          'service-event-type': delivery.event_type,
          'service-delivery-id': String(delivery.id),
          'webhook-id': delivery.event_id,
          'service-signature': `t=…,v1=… (${words.perAttempt})`,
        }}
      />
      {event && (
        <CodeSnippet code={JSON.stringify(event, null, 2)} label={words.body} language="json" />
      )}
      {!event && !error && <Skeleton height={180} />}
    </>
  )
}

function ReceivedResponse({ attempt }: { attempt: Attempt }) {
  const { delivery: words } = useDeveloperWords()
  const { exact } = useFormats()
  const failureText = useFailureText()
  const { response_status: status, error_code: error } = attempt
  const { response_body: body, response_encoding: encoding } = attempt
  return (
    <>
      <Text size="sm" className={layout.dot} data-tone={error === null ? 'good' : 'bad'}>
        {status === null ? words.noResponse : <Code>{status}</Code>}
        {error !== null && failureText(error)}
        {error !== null && <Code>{error}</Code>}
      </Text>
      <Cause attempt={attempt} />
      <Headers headers={attempt.response_headers} />
      {body !== null && body !== '' && <PlainText text={body} label={words.body} />}
      {body === '' && (
        <Text size="sm" c="dimmed">
          {words.emptyBody}
        </Text>
      )}
      {body !== null && isCut(body) && (
        <Text size="xs" c="dimmed">
          {words.cut}
        </Text>
      )}
      <Facts>
        <Fact name={words.time} value={exact(Date.parse(attempt.started_at))} />
        <Fact
          name={words.remoteIp}
          value={attempt.remote_ip && <code dir="ltr">{attempt.remote_ip}</code>}
        />
        <Fact name={words.encoding} value={body && encoding && <code dir="ltr">{encoding}</code>} />
      </Facts>
    </>
  )
}

/** What is wrong with the receiver and what to do, in English if there is no translation. */
function Cause({ attempt }: { attempt: Attempt }) {
  const causeText = useCauseText()
  const { error_cause: cause, error_message: message, response_status: status } = attempt
  const text = causeText(cause ?? '')
  if (text !== '') return <Text size="sm">{text}</Text>
  if (message === null || status !== null) return null
  return (
    <Text size="sm" dir="ltr" lang="en">
      {message}
    </Text>
  )
}

const encoder = new TextEncoder()

/** Whether a body is as long as what is kept of it; a character that was cut through is lost. */
const isCut = (body: string): boolean =>
  encoder.encode(body).length > WEBHOOK_RESPONSE_BODY_MAX_BYTES - 4

function Headers({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers)
  if (entries.length === 0) return null
  return (
    <dl className={classes.headers} dir="ltr">
      {entries.map(([name, value]) => (
        <Fact key={name} name={visibleText(name)} value={visibleText(value)} />
      ))}
    </dl>
  )
}
