import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isViewerTokenEnforced } from '../../../../../domain/settings/player-settings.ts'
import { isFinal } from '../../../../../domain/videos/video-state.ts'
import { settingsQuery } from '../../../api/settings.ts'
import { foldersQuery, type Video, type VideoProgress } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { TextLink } from '../../../parts/links/links.tsx'
import { Section } from '../../../parts/section.tsx'
import { CopiedFact, Fact, Facts } from '../../../parts/text/facts.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { StatusBadge } from '../../../parts/text/status-badge.tsx'
import { useVideosWords } from '../words.ts'
import classes from './video-page.module.css'

interface Props {
  account: string
  video: Video
  /** Of a running ingest. */
  progress: VideoProgress | undefined
}

/** What is known of a video, as names and values. */
export function VideoFacts({ account, video, progress }: Props) {
  const { video: texts, videos } = useWords()
  const { facts } = useVideosWords()
  const { bytes, duration } = useFormats()
  const size = video.width !== null && video.height !== null && `${video.width} × ${video.height}`
  const ladder = video.resolutions.length > 0 && `${video.resolutions.join(' · ')}p`
  return (
    <Section title={texts.facts} className={classes.facts}>
      <Facts>
        <Fact name={videos.status} value={<StatusBadge status={video.status} />} />
        <Fact
          name={texts.progress}
          value={!isFinal(video.status) && <Progress progress={progress} />}
        />
        <Fact name={texts.duration} value={video.duration !== null && duration(video.duration)} />
        <Fact
          name={texts.renditions}
          value={ladder && <span className={classes.ladder}>{ladder}</span>}
        />
        <Fact name={texts.picture} value={size && <span dir="ltr">{size}</span>} />
        <Fact name={texts.size} value={video.size_bytes > 0 && bytes(video.size_bytes)} />
        <Fact name={facts.protection} value={<Protection account={account} />} />
        <Fact name={texts.folder} value={<FolderLink account={account} video={video} />} />
        <Fact name={texts.added} value={<RelativeTime at={video.created_at} />} />
        <Fact name={texts.changed} value={<RelativeTime at={video.updated_at} />} />
        <CopiedFact name={texts.id} value={video.id} />
      </Facts>
    </Section>
  )
}

/** How far a running ingest is, and how long it takes. */
function Progress({ progress }: Pick<Props, 'progress'>) {
  const { progress: words } = useWords()
  const { percent, duration } = useFormats()
  if (!progress) return <Skeleton width="6rem" height="1lh" />
  const left = progress.seconds_left
  const text = percent(progress.percent / 100)
  return left === null ? text : `${text} · ${interpolate(words.left, { time: duration(left) })}`
}

/** On which sites the videos of the account play, and whether viewers need a token. */
function Protection({ account }: Pick<Props, 'account'>) {
  const { facts } = useVideosWords()
  const { counted } = useFormats()
  const { data, error } = useQuery(settingsQuery(account))
  if (!data) return error ? '–' : <Skeleton width="8rem" height="1lh" />
  const { allowed_domains: allowed } = data.settings
  const sites = allowed.length > 0 ? counted(facts.sites, allowed.length) : facts.everySite
  const token = isViewerTokenEnforced(data.settings) ? facts.token : facts.noToken
  return (
    <TextLink inherit to="/accounts/$account/settings/domains" params={{ account }}>
      {sites} · {token}
    </TextLink>
  )
}

function FolderLink({ account, video: { folder_id: id } }: Omit<Props, 'progress'>) {
  const { add } = useWords()
  const { data: folders, error } = useQuery(foldersQuery(account))
  if (id === null) return add.noFolder
  const folder = folders?.find((one) => one.id === id)
  if (!folder) return folders || error ? '–' : <Skeleton width="6rem" height="1lh" />
  return (
    <TextLink
      inherit
      to="/accounts/$account/videos"
      params={{ account }}
      search={{ folder: folder.id }}
      activeOptions={{ exact: true }}
    >
      <bdi>{folder.name}</bdi>
    </TextLink>
  )
}
