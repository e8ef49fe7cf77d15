import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { inspectedVideoQuery, type InspectedVideo } from '../../api/operator.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import layout from '../../parts/layout.module.css'
import { WorkflowLink } from '../../parts/links/workflow-link.tsx'
import { Section } from '../../parts/section.tsx'
import { CopyButton } from '../../parts/text/copy-button.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { StatusBadge } from '../../parts/text/status-badge.tsx'
import { failureText } from '../videos/video/failure-words.ts'
import { stepName } from '../videos/video/step-words.ts'
import { Away } from './card.tsx'
import classes from './operator.module.css'
import { RetryVideo } from './retry-video.tsx'
import { useOperatorWords } from './words.ts'

/** Where a video is, why, and what next. */
export function InspectedVideoCard({ account, id }: { account: string; id: string }) {
  const { data, error } = useQuery(inspectedVideoQuery(account, id))
  if (error) return <ErrorState error={error} />
  if (!data) return <Skeleton height={240} radius="lg" />
  return <Found account={account} video={data} />
}

function Found({ account, video }: { account: string; video: InspectedVideo }) {
  const words = useOperatorWords()
  const all = useWords()
  const retry = video.can_retry && (
    <RetryVideo account={account} id={video.id} title={video.title} />
  )
  return (
    <Section
      className={layout.card}
      title={video.title.trim() || all.videos.untitled}
      actions={retry}
    >
      <dl className={classes.facts}>
        <dt>{all.video.id}</dt>
        <dd>
          <code dir="ltr">{video.id}</code> <CopyButton text={video.id} label={all.video.id} />
        </dd>
        <dt>{interpolate(words.account, { id: video.account_id })}</dt>
        <dd>
          <bdi>{video.account_name}</bdi>
        </dd>
        <dt>{all.videos.status}</dt>
        <dd>
          <StatusBadge status={video.status} /> · <RelativeTime at={video.updated_at} />
        </dd>
        <Steps video={video} />
        {video.error_code !== null && (
          <>
            <dt>{words.why}</dt>
            <dd>
              <code dir="ltr">{video.error_code}</code>{' '}
              <bdi lang="en">{video.error_message ?? ''}</bdi>
            </dd>
          </>
        )}
        <Troubles video={video} />
        <dt>{words.next}</dt>
        <dd>
          <NextStep video={video} />
          <WorkflowLink account={account} id={video.workflow_id} />
        </dd>
        <dt>{words.deliveriesOfVideo}</dt>
        <dd>
          <Deliveries video={video} />
        </dd>
      </dl>
    </Section>
  )
}

function NextStep({ video }: { video: InspectedVideo }): ReactNode {
  const words = useOperatorWords()
  const all = useWords()
  if (video.deleted_at !== null) return words.deleted
  switch (video.status) {
    case 'queued':
      return words.waits
    case 'processing':
    case 'playable':
      return words.runs
    case 'ready':
      return words.ready
    case 'failed':
      return failureText(video.error_code ?? '', all)
  }
}

function Steps({ video: { progress } }: { video: InspectedVideo }) {
  const words = useOperatorWords()
  const all = useWords()
  const { percent } = useFormats()
  if (progress === null || progress.steps.length === 0) return null
  return (
    <>
      <dt>{words.steps}</dt>
      <dd>
        {percent(progress.percent / 100)}
        <ul className={layout.list}>
          {progress.steps.map(({ name, stage, fraction }) => (
            <li key={name} className={layout.under}>
              {stepName(name, all)}
              <span>
                {stage === 'running' && fraction !== null
                  ? percent(fraction)
                  : stage === 'done'
                    ? all.progress.done
                    : stage === 'running'
                      ? '…'
                      : all.progress.waiting}
              </span>
            </li>
          ))}
        </ul>
      </dd>
    </>
  )
}

function Troubles({ video: { troubles } }: { video: InspectedVideo }) {
  const words = useOperatorWords()
  if (troubles.data?.length === 0) return null
  return (
    <>
      <dt>{words.troubles}</dt>
      <dd>
        {troubles.data === null ? (
          <Away reason={troubles.reason} />
        ) : (
          <ul className={layout.list}>
            {troubles.data.map(({ step, attempt, failure }) => (
              <li key={step + failure} dir="ltr" lang="en">
                <code>{step}</code> · {interpolate(words.attempt, { number: attempt })}: {failure}
              </li>
            ))}
          </ul>
        )}
      </dd>
    </>
  )
}

function Deliveries({ video: { deliveries } }: { video: InspectedVideo }) {
  const words = useOperatorWords()
  if (deliveries.length === 0) return words.noDeliveries
  return (
    <ul className={layout.list}>
      {deliveries.map((delivery) => (
        <li key={delivery.id} className={layout.under} dir="ltr" lang="en">
          <code>{delivery.event_type}</code>
          <span>
            #{delivery.id} {delivery.status}
            {delivery.error_code !== null && ` (${delivery.error_code})`}
          </span>
          <span>{interpolate(words.attempt, { number: delivery.attempt_count })}</span>
        </li>
      ))}
    </ul>
  )
}
