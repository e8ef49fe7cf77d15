import { lazy, Suspense, useState } from 'react'
import type { Video } from '../../../api/videos.ts'
import { useVideosWords } from '../words.ts'
import { focusVideo } from './list-keys.ts'
import classes from './name-video.module.css'

const TitleForm = lazy(async () => ({ default: (await import('./title-form.tsx')).TitleForm }))

interface Props {
  account: string
  video: Video
}

/** Asks for a better title of a video whose title looks like the name of a file, and takes it in place. */
export function NameVideo({ account, video }: Props) {
  const { list } = useVideosWords()
  const [isOpen, setOpen] = useState(false)
  const ask = (
    <button type="button" className={classes.ask} onClick={() => setOpen(true)}>
      {list.addTitle}
    </button>
  )
  if (!isOpen) return ask
  return (
    <Suspense fallback={ask}>
      <TitleForm
        account={account}
        video={video}
        onClose={() => {
          setOpen(false)
          focusVideo(video.id)
        }}
      />
    </Suspense>
  )
}
