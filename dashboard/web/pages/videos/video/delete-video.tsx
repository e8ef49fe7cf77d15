import { Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../../api/client.ts'
import { videosMatch } from '../../../api/video-search/filter.ts'
import { embeddingQuery, type Video } from '../../../api/videos.ts'
import { interpolate } from '../../../locales/interpolate.ts'
import { useWords } from '../../../locales/words.tsx'
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx'
import { useFormats } from '../../../parts/text/formats.ts'

interface Props {
  account: string
  video: Video
}

/** Asks before a video is deleted, and then leads to the list. */
export function DeleteVideo({ account, video, onClose }: Props & { onClose: () => void }) {
  const { deletion } = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () =>
      unwrap(apiOf(account).DELETE('/videos/{id}', { params: { path: { id: video.id } } })),
    async onSuccess() {
      await navigate({ to: '/accounts/$account/videos', params: { account }, search: videosMatch })
      client.removeQueries({ queryKey: ['video', account, video.id] })
      await client.invalidateQueries({ queryKey: ['videos', account] })
    },
  })
  return (
    <ConfirmDialog
      title={deletion.title}
      expected={video.title.trim() || video.id}
      submit={deletion.submit}
      action={remove}
      onClose={onClose}
    >
      <Text size="sm">{deletion.text}</Text>
      <LastWeek account={account} video={video} />
    </ConfirmDialog>
  )
}

/** Who would notice: the plays and the sites of the last seven days. */
function LastWeek({ account, video }: Props) {
  const { deletion } = useWords()
  const { number } = useFormats()
  const { data, error } = useQuery(embeddingQuery(account, video.id))
  // The dialog is no worse without these figures.
  if (error) return null
  if (!data) return <Skeleton height={20} />
  const hosts = data.hosts.flatMap(({ host }) => (host === null ? [] : [host]))
  return (
    <Text size="sm">
      {interpolate(deletion.plays, { number: number(data.plays) })}
      {hosts.length > 0 && (
        <>
          <br />
          {deletion.hosts} <bdi>{hosts.join(', ')}</bdi>
        </>
      )}
    </Text>
  )
}
