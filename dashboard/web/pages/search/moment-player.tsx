import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createElement } from 'react'
import '../../../../player/embed-script/reelgate-video.ts'
import { apiOf, unwrap } from '../../api/client.ts'
import { useWords } from '../../locales/words.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import type { SearchResult } from './caption-search.ts'
import classes from './search.module.css'

interface Props {
  account: string
  result: SearchResult
}

/** The real player from a moment on, with its caption. A token is signed when it opens, because any token plays every video of the account. */
export function MomentPlayer({ account, result: { video, caption, start_seconds: start } }: Props) {
  const words = useWords()
  const { data, error } = useQuery({
    queryKey: ['moment-player', account, video.id],
    queryFn: async () => {
      const params = { path: { id: video.id } }
      return (await unwrap(apiOf(account).POST('/videos/{id}/play', { params }))).embed_url
    },
    // The token of a player that was closed is not used again.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (error) return <ErrorState error={error} />
  if (data === undefined) return <Skeleton className={classes.player} radius="lg" />
  return createElement('reelgate-video', {
    class: classes.player,
    src: data,
    title: video.title || words.video.player,
    start: String(start),
    captions: caption.language_code,
    autoplay: '',
    loading: 'eager',
  })
}
