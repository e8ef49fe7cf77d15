import { useState } from 'react'
import { interpolate } from '../../locales/interpolate.ts'
import { useFormats } from '../../parts/text/formats.ts'
import type { UploadItem } from '../queue/upload-item.ts'
import { useUploadsWords } from '../words.ts'
import { failureText } from './use-state-text.ts'

/** What a screen reader says when uploads begin, end or fail. Their progress is read on demand. */
export function useSaid(items: readonly UploadItem[]): string {
  const words = useUploadsWords()
  const { counted } = useFormats()
  const [said, setSaid] = useState('')
  const [before, setBefore] = useState<readonly UploadItem[]>([])
  if (before === items || isAlike(before, items)) return said
  const added = items.filter(({ key }) => !before.some((one) => one.key === key))
  const begun = added.filter(({ file }) => file !== null).length
  const found = added.filter(({ file, state }) => file === null && state === 'paused').length
  const changed = items.filter(({ key, state }) =>
    before.some((one) => one.key === key && one.state !== state),
  )
  const texts = [
    begun > 0 && counted(words.said.added, begun),
    found > 0 && counted(words.said.found, found),
    ...changed.map(({ name, state, failure }) => {
      if (state === 'done') return interpolate(words.said.done, { name })
      const reason = failureText(failure, words)
      return state === 'failed' && interpolate(words.said.failed, { name, reason })
    }),
  ].filter((text) => text !== false)
  setBefore(items)
  if (texts.length > 0) setSaid(texts.join('. '))
  return said
}

/** True if nothing is new but the progress. */
const isAlike = (before: readonly UploadItem[], items: readonly UploadItem[]): boolean =>
  before.length === items.length &&
  before.every(({ key, state }, index) => items[index]?.key === key && items[index].state === state)
