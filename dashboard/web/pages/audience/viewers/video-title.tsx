import { useWords } from '../../../locales/words.tsx'
import { TextLink } from '../../../parts/links/links.tsx'
import { LongText } from '../../../parts/text/long-text.tsx'
import { useAudienceWords } from '../words.ts'

interface Props {
  account: string
  id: string
  /** Null if the video is deleted. */
  title: string | null
}

/** The title of a video, which leads to its audience. */
export function VideoTitle({ account, id, title }: Props) {
  const { viewer } = useAudienceWords()
  const { videos } = useWords()
  if (title === null) return <span title={id}>{viewer.deleted}</span>
  return (
    <TextLink
      to="/accounts/$account/videos/$video/audience"
      params={{ account, video: id }}
      size="sm"
    >
      <LongText>{title.trim() || videos.untitled}</LongText>
    </TextLink>
  )
}
