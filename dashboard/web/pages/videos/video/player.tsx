import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { createElement, useEffect } from 'react'
import { isPlayable } from '../../../../../domain/videos/video-state.ts'
import { apiOf, unwrap } from '../../../api/client.ts'
import { useProgress } from '../../../api/progress.ts'
import type { Video } from '../../../api/videos.ts'
import { IconPlayerPlayFilled } from '../../../icons/icons.tsx'
import { useWords } from '../../../locales/words.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { usePlayback } from './playback.tsx'
import classes from './video-page.module.css'

interface Props {
  account: string
  video: Video
}

/** The real player, once at least the beginning plays. A token is signed at the click, because any token plays every video of the account. */
export function Player({ account, video }: Props) {
  const words = useWords()
  const { attach, offerOpening } = usePlayback()
  const token = useMutation({
    mutationFn: async () => {
      const params = { path: { id: video.id } }
      const call = apiOf(account).POST('/videos/{id}/play', { params })
      return (await unwrap(call)).embed_url
    },
  })
  const watchable = useProgress(account, [video]).get(video.id)?.watchable_seconds ?? 0
  const isWaiting = !isPlayable(video.status) && watchable === 0 && token.data === undefined
  const { mutate: open } = token
  useEffect(() => (isWaiting ? undefined : offerOpening(open)), [isWaiting, offerOpening, open])
  if (isWaiting)
    return (
      <div className={classes.screen}>
        <p>{words.video.notYet}</p>
      </div>
    )
  return (
    <>
      {token.error && <ErrorState error={token.error} />}
      <div className={classes.screen}>
        {token.data === undefined ? (
          <>
            {video.poster_url !== null && <img src={video.poster_url} alt="" />}
            <Button
              size="md"
              radius="xl"
              leftSection={<IconPlayerPlayFilled size={18} />}
              loading={token.isPending}
              title={words.video.playHint}
              onClick={() => token.mutate()}
            >
              {words.video.play}
            </Button>
          </>
        ) : (
          createElement('reelgate-video', {
            ref: attach,
            src: token.data,
            title: video.title || words.video.player,
            loading: 'eager',
          })
        )}
      </div>
    </>
  )
}
