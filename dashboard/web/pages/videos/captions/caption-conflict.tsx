import type { Caption } from '../../../api/video-parts.ts'
import { useWords } from '../../../locales/words.tsx'
import { ConflictNotice } from '../../../parts/forms/conflict-notice.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { useVideosWords } from '../words.ts'

interface Props {
  mine: { label: string; file: string }
  /** The caption that another member has stored; null if it was deleted. */
  stored: Caption | null
  isDecided: boolean
  onMine: () => void
  onTheirs: () => void
}

/** The file of this form and the caption that is stored in its place, with the choice between them. */
export function CaptionConflict({ mine, stored, isDecided, onMine, onTheirs }: Props) {
  const { conflict: words } = useWords()
  const { tabs } = useVideosWords()
  const { bytes } = useFormats()
  const contradiction = {
    name: 'caption',
    label: tabs.captions,
    mine: (
      <>
        <bdi>{mine.label}</bdi> · <bdi>{mine.file}</bdi>
      </>
    ),
    theirs: stored ? (
      <>
        <bdi>{stored.label}</bdi> · <bdi>{bytes(stored.size_bytes)}</bdi> ·{' '}
        <RelativeTime at={stored.updated_at} />
      </>
    ) : (
      words.gone
    ),
  }
  return (
    <ConflictNotice
      contradictions={[contradiction]}
      taken={[]}
      decided={new Map(isDecided ? [['caption', 'mine']] : [])}
      decide={(_name, side) => (side === 'mine' ? onMine() : onTheirs())}
    />
  )
}
