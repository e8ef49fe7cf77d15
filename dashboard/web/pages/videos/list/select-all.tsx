import type { Video } from '../../../api/videos.ts'
import { SelectBox } from '../../../parts/forms/select-box.tsx'
import { useVideosWords } from '../words.ts'
import type { Selection } from './selection.ts'

interface Props {
  videos: readonly Video[]
  selection: Selection
}

/** Selects all videos of the page, or none. */
export function SelectAll({ videos, selection }: Props) {
  const { list } = useVideosWords()
  const ids = videos.map(({ id }) => id)
  const isAll = selection.ids.size === ids.length
  return (
    <SelectBox
      label={list.selectAll}
      isChecked={isAll}
      isPartly={!isAll && selection.ids.size > 0}
      onChange={() => selection.set(ids, !isAll)}
    />
  )
}
