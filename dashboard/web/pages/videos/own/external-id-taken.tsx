import { useQuery } from '@tanstack/react-query'
import { problemOf } from '../../../api/problem.ts'
import { videoQuery } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { TextLink } from '../../../parts/links/links.tsx'
import { useVideosWords } from '../words.ts'

interface Props {
  account: string
  /** The id of the video that has the external id. */
  holder: string
}

/** Says which video has an external id. The video of an upload does not exist before its end. */
export function ExternalIdTaken({ account, holder }: Props) {
  const { videos } = useWords()
  const { own } = useVideosWords()
  const { data: video, error } = useQuery({ ...videoQuery(account, holder), retry: false })
  if (error && problemOf(error).status === 404) return own.takenByUpload
  return (
    <>
      {own.taken}{' '}
      <TextLink
        inherit
        to="/accounts/$account/videos/$video"
        params={{ account, video: holder }}
        search={{}}
      >
        <bdi>{video ? video.title.trim() || videos.untitled : holder}</bdi>
      </TextLink>
    </>
  )
}
