import type { Installation } from '../../api/operator.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import layout from '../../parts/layout.module.css'
import { TextLink } from '../../parts/links/links.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { PartCard } from './card.tsx'
import classes from './operator.module.css'
import { RetryVideo } from './retry-video.tsx'
import { useOperatorWords } from './words.ts'

interface Props {
  account: string
  installation: Pick<Installation, 'failed_days' | 'failed_videos'>
}

/** The videos of all accounts that failed lately. */
export function FailedVideos({ account, installation }: Props) {
  const words = useOperatorWords()
  const { videos } = useWords()
  return (
    <PartCard
      title={interpolate(words.failed, { days: installation.failed_days })}
      part={installation.failed_videos}
    >
      {(failed) =>
        failed.length === 0 ? (
          <p>{words.failedNone}</p>
        ) : (
          <ul className={layout.list}>
            {failed.map((video) => (
              <li key={video.id} className={classes.row}>
                <div>
                  <TextLink
                    to="/accounts/$account/operator"
                    params={{ account }}
                    search={{ video: video.id }}
                  >
                    <bdi>{video.title.trim() || videos.untitled}</bdi>
                  </TextLink>
                  <div className={layout.under}>
                    <span>{interpolate(words.account, { id: video.account_id })}</span>
                    {video.error_code !== null && <code dir="ltr">{video.error_code}</code>}
                    <RelativeTime at={video.failed_at} />
                  </div>
                </div>
                <RetryVideo account={account} id={video.id} title={video.title} />
              </li>
            ))}
          </ul>
        )
      }
    </PartCard>
  )
}
