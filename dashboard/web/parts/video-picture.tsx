import { useState } from 'react'
import { IconMovie } from '../icons/icons.tsx'
import classes from './video-picture.module.css'

/** The poster of a video, or a sign in its place. The title beside it says what it shows. */
export function VideoPicture({ url }: { url: string | null }) {
  const [isBroken, setBroken] = useState(false)
  return (
    <span className={classes.picture}>
      {url === null || isBroken ? (
        <IconMovie size={18} stroke={1.5} />
      ) : (
        <img src={url} alt="" loading="lazy" onError={() => setBroken(true)} />
      )}
    </span>
  )
}
