import { Text } from '@mantine/core'
import { isolateIn } from '../../../../../domain/isolate-text.ts'
import {
  explainFailure,
  faultStatus,
  settingOf,
} from '../../../../../domain/playback-reports/explain-failure.ts'
import { isPlaybackCause } from '../../../../../domain/playback-reports/playback-causes.ts'
import type { PlaybackReport } from '../../../api/security.ts'
import { TextLink } from '../../../parts/links/links.tsx'
import { Section } from '../../../parts/section.tsx'
import { deviceText } from '../../../parts/text/device-text.ts'
import { CopiedFact, Fact, Facts } from '../../../parts/text/facts.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import classes from '../security.module.css'
import { SettingLink } from './setting-link.tsx'
import { useWhyWords } from './words.ts'

interface Props {
  account: string
  report: PlaybackReport
}

/** What happened, the next step, and what is known. */
export function ReportView({ account, report }: Props) {
  const words = useWhyWords()
  const { message, next } = useExplanation(report)
  const setting = isPlaybackCause(report.cause) ? settingOf(report.cause) : null
  return (
    <div className={classes.stack}>
      <Section id="what" title={message}>
        <p className={classes.nextStep}>
          <strong>{words.next}</strong>
          <span>{next}</span>
        </p>
        {setting !== null && (
          <div>
            <SettingLink account={account} setting={setting} report={report}>
              {words.settings[setting]}
            </SettingLink>
          </div>
        )}
      </Section>
      <Section id="facts" title={words.facts}>
        {!report.is_stored && (
          <Text size="sm" c="dimmed">
            {words.unstored}
          </Text>
        )}
        <Known account={account} report={report} />
      </Section>
    </div>
  )
}

/** In the language of the page; in English for a cause that only a newer server knows. */
function useExplanation({ cause, host, viewer_id: viewer, details, ...report }: PlaybackReport) {
  const { causes } = useWhyWords()
  const { span } = useFormats()
  if (!isPlaybackCause(cause)) return { message: report.message, next: report.next_step }
  const text = causes[cause]
  const device = deviceText(report.browser, report.system)
  const isolated = (value: string | null) => value && isolateIn(text.message, value)
  const { expired_seconds: seconds } = details
  return explainFailure(text, {
    host: isolated(host),
    viewer: isolated(viewer),
    device: isolated(device),
    ago: seconds === null ? null : span(seconds),
    status: faultStatus(details.http_status),
  })
}

function Known({ account, report }: Props) {
  const words = useWhyWords()
  const { duration, exact } = useFormats()
  const { details } = report
  return (
    <Facts>
      <CopiedFact name={words.code} value={report.code} />
      <Fact name={words.cause} value={<code dir="ltr">{report.cause}</code>} />
      <Fact
        name={words.time}
        value={
          <span>
            {exact(Date.parse(report.created_at))} (<RelativeTime at={report.created_at} />)
          </span>
        }
      />
      <Fact
        name={words.video}
        value={
          report.video_id && (
            <Video account={account} id={report.video_id} title={report.video_title} />
          )
        }
      />
      <Fact name={words.viewer} value={report.viewer_id && <bdi>{report.viewer_id}</bdi>} />
      <Fact name={words.site} value={report.host && <bdi>{report.host}</bdi>} />
      <Fact name={words.browser} value={deviceText(report.browser, report.system)} />
      <Fact
        name={words.position}
        value={details.position_seconds !== null && duration(details.position_seconds)}
      />
      <Fact name={words.errorCode} value={details.error_code} />
      <Fact name={words.httpStatus} value={details.http_status} />
    </Facts>
  )
}

interface VideoProps {
  account: string
  id: string
  /** Null if it was deleted. */
  title: string | null
}

function Video({ account, id, title }: VideoProps) {
  const { deletedVideo } = useWhyWords()
  if (title === null)
    return (
      <span>
        {deletedVideo} (<code dir="ltr">{id}</code>)
      </span>
    )
  return (
    <TextLink to="/accounts/$account/videos/$video" params={{ account, video: id }} size="sm">
      <bdi>{title.trim() || id}</bdi>
    </TextLink>
  )
}
