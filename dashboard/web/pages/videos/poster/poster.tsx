import { useState } from 'react'
import { IconMovie } from '../../../icons/icons.tsx'
import classes from '../videos.module.css'

/** The poster of a video, or a sign in its place. The title beside it says what it shows. */
export function Poster({ url }: { url: string | null }) {
  const [isBroken, setBroken] = useState(false)
  return (
    <span className={classes.poster}>
      {url === null || isBroken ? (
        <IconMovie size={20} stroke={1.5} />
      ) : (
        <img src={url} alt="" loading="lazy" onError={() => setBroken(true)} />
      )}
    </span>
  )
}
