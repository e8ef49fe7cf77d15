import { useState, type FunctionComponent } from 'react'
import type { IconProps } from '../../../icons/icon.tsx'
import { IconMovie } from '../../../icons/icons.tsx'
import classes from './poster.module.css'

interface Props {
  url: string | null
  /** In its place, while it has none. */
  icon?: FunctionComponent<IconProps>
  iconSize?: number
}

/** The poster of a video, or a sign in its place. The title beside it says what it shows. */
export function Poster({ url, icon: Icon = IconMovie, iconSize = 20 }: Props) {
  const [isBroken, setBroken] = useState(false)
  return (
    <span className={classes.poster}>
      {url === null || isBroken ? (
        <Icon size={iconSize} stroke={1.5} />
      ) : (
        <img src={url} alt="" loading="lazy" draggable={false} onError={() => setBroken(true)} />
      )}
    </span>
  )
}
