import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { captionQuery, type Caption } from '../../../api/video-parts.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import classes from './captions.module.css'

interface Props {
  account: string
  video: string
  caption: Caption
}

/** The text of a caption as it was sent. It is never read as markup. */
export function CaptionText({ account, video, caption }: Props) {
  const { language_code: code, label } = caption
  const { data, error } = useQuery(captionQuery(account, video, code))
  if (error) return <ErrorState error={error} />
  if (!data) return <Skeleton className={classes.text} radius={0} />
  // A field scrolls with the keyboard, and shows markup as text.
  return (
    <textarea
      className={classes.text}
      readOnly
      value={data.content}
      aria-label={label}
      lang={code}
      dir="auto"
    />
  )
}
