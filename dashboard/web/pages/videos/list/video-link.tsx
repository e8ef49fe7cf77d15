import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'
import { videosMatch } from '../../../api/video-search/filter.ts'

interface PlainProps {
  ref?: Ref<HTMLAnchorElement>
  className?: string | undefined
  children?: ReactNode
}

const PlainLink = createLink(({ ref, children, ...props }: PlainProps) => (
  <a ref={ref} {...props}>
    {children}
  </a>
))

interface Props extends PlainProps {
  account: string
  id: string
}

/** Leads from a list of videos to one of them, with the filter of the list. The keys of the list find it by its id. */
export const VideoLink = ({ account, id, ...props }: Props) => (
  <PlainLink
    {...props}
    to="/accounts/$account/videos/$video"
    params={{ account, video: id }}
    search={videosMatch}
    data-video={id}
  />
)
