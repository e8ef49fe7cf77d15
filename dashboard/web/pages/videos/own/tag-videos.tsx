import { Checkbox, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { TAGS_MAX } from '../../../../../domain/limits.ts'
import { typedTagKey } from '../../../../../domain/videos/own-data.ts'
import { apiOf, unwrap } from '../../../api/client.ts'
import type { components } from '../../../api/schema.ts'
import { refreshVideos, type Video } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx'
import { notify } from '../../../parts/notify.ts'
import { useFormats } from '../../../parts/text/formats.ts'
import { useVideosWords } from '../words.ts'
import classes from './own.module.css'
import { TagField } from './tag-field.tsx'

interface Props {
  account: string
  videos: readonly Video[]
  onClose: () => void
  onDone: () => void
}

interface Tagging {
  added: string[]
  removed: string[]
}

/** The dialog that adds tags to the chosen videos, and removes some that they have. */
export function TagVideos({ account, videos, onClose, onDone }: Props) {
  const { tagging } = useVideosWords()
  const { counted } = useFormats()
  const form = useForm<Tagging>({ initialValues: { added: [], removed: [] } })
  const save = useTagging(account, videos, onDone)
  const { added, removed } = form.values
  const present = tagsOf(videos)
  return (
    <FormDialog
      title={counted(tagging.title, videos.length)}
      text={<Full videos={save.data?.full ?? []} />}
      form={form}
      save={save}
      submit={tagging.submit}
      isReady={added.length + removed.length > 0}
      onClose={onClose}
    >
      {() => (
        <>
          <TagField
            label={tagging.add}
            tags={added}
            max={TAGS_MAX}
            onChange={(tags) => form.setFieldValue('added', tags)}
          />
          {present.length > 0 && (
            <Checkbox.Group
              label={tagging.remove}
              value={removed}
              onChange={(tags) => form.setFieldValue('removed', tags.slice(0, TAGS_MAX))}
            >
              <Stack gap="xs" mt="xs" className={classes.present}>
                {present.map(({ tag, count }) => (
                  <Checkbox
                    key={tag}
                    value={tag}
                    size="sm"
                    label={<Counted {...{ tag, count }} />}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        </>
      )}
    </FormDialog>
  )
}

const Counted = ({ tag, count }: { tag: string; count: number }) => (
  <>
    <bdi>{tag}</bdi> <span className={classes.hint}>({count})</span>
  </>
)

/** The videos that were left as they are. The dialog stays open for them. */
function Full({ videos }: { videos: components['schemas']['TaggedVideos']['full'] }) {
  const { videos: texts } = useWords()
  const { tagging } = useVideosWords()
  const { counted } = useFormats()
  if (videos.length === 0) return null
  return (
    <div role="alert">
      <Text size="sm">{counted(tagging.full, videos.length)}</Text>
      <ul>
        {videos.map(({ id, title }) => (
          <li key={id}>
            <bdi>{title.trim() || texts.untitled}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

function useTagging(account: string, videos: readonly Video[], onDone: () => void) {
  const { tagging } = useVideosWords()
  const { counted } = useFormats()
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ added, removed }: Tagging) => {
      const body = { ids: videos.map(({ id }) => id), add: added, remove: removed }
      return unwrap(apiOf(account).POST('/videos/tags', { body }))
    },
    async onSuccess({ ids, full }) {
      await refreshVideos(client, account)
      if (ids.length > 0) notify(counted(tagging.changed, ids.length))
      else if (full.length === 0) notify(tagging.unchanged)
      if (full.length === 0) onDone()
    },
  })
}

/** The tags of videos with how many of them have each, the most frequent first. */
function tagsOf(videos: readonly Video[]): { tag: string; count: number }[] {
  const found = new Map<string, { tag: string; count: number }>()
  for (const tag of videos.flatMap(({ tags }) => tags)) {
    const key = typedTagKey(tag)
    const known = found.get(key)
    found.set(key, { tag: known?.tag ?? tag, count: (known?.count ?? 0) + 1 })
  }
  return [...found.values()].toSorted(
    (one, other) => other.count - one.count || one.tag.localeCompare(other.tag),
  )
}
