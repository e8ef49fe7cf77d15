import { Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiOf, unwrap } from '../../../api/client.ts'
import { NO_FOLDER, toFilterBody } from '../../../api/video-search/filter.ts'
import { foldersQuery, refreshVideos, type Video } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx'
import { Fact, Facts } from '../../../parts/text/facts.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { useTimeZone } from '../../../shell/time-zone.tsx'
import { useFilterTexts } from '../filters/filter-texts.ts'
import { useVideosWords } from '../words.ts'
import classes from './delete-videos.module.css'

const route = getRouteApi('/accounts/$account/videos')

interface Props {
  account: string
  /** The chosen videos of the page. */
  videos: Video[]
  /** How many videos match the filter, if all of them are meant; else null. */
  matching: number | null
  onClose: () => void
  onDone: () => void
}

/** Asks before many videos are deleted: the number has to be typed, and the filter or the titles are shown. */
export function DeleteVideos({ account, videos, matching, onClose, onDone }: Props) {
  const { deletion } = useWords()
  const { list } = useVideosWords()
  const { counted } = useFormats()
  const client = useQueryClient()
  const search = route.useSearch()
  const { zone } = useTimeZone()
  const count = matching ?? videos.length
  const remove = useMutation({
    mutationFn: () => {
      const body =
        matching === null
          ? { ids: videos.map(({ id }) => id) }
          : { filter: toFilterBody(search, zone), expected_count: matching }
      return unwrap(apiOf(account).POST('/videos/delete', { body }))
    },
    onSuccess: onDone,
    // A refusal can mean that other videos match now.
    onSettled: () => refreshVideos(client, account),
  })
  return (
    <ConfirmDialog
      title={counted(list.deleteTitle, count)}
      expected={String(count)}
      submit={counted(list.deleteSubmit, count)}
      action={remove}
      onClose={onClose}
    >
      <Text size="sm">{list.deleteText}</Text>
      {matching === null ? <Titles videos={videos} /> : <Filter account={account} />}
      <Text size="sm" c="dimmed">
        {deletion.text}
      </Text>
    </ConfirmDialog>
  )
}

function Titles({ videos }: { videos: Video[] }) {
  const { videos: texts } = useWords()
  return (
    <ul className={classes.titles} aria-label={texts.title}>
      {videos.map(({ id, title }) => (
        <li key={id}>
          <bdi>{title.trim() || texts.untitled}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** The filter in words: what it matches is deleted, on this page or not. */
function Filter({ account }: { account: string }) {
  const { add, videos: texts, status: names } = useWords()
  const { list } = useVideosWords()
  const search = route.useSearch()
  const { q, status, folder } = search
  const more = useFilterTexts(search)
  const { data: folders = [] } = useQuery(foldersQuery(account))
  const named = folders.find(({ id }) => id === folder)?.name ?? String(folder)
  const name = folder === NO_FOLDER ? add.noFolder : named
  const isAll = [q, status, folder].every((one) => one === undefined) && more.length === 0
  return (
    <Facts>
      {q !== undefined && <Fact name={list.titleHas} value={<bdi>{q}</bdi>} />}
      {status !== undefined && <Fact name={texts.status} value={names[status]} />}
      {folder !== undefined && <Fact name={texts.folder} value={<bdi>{name}</bdi>} />}
      {more.map((each) => (
        <Fact key={each.name} name={each.name} value={<bdi>{each.value}</bdi>} />
      ))}
      {isAll && <Fact name={list.filter} value={list.noFilter} />}
    </Facts>
  )
}
