import { Button, Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IFRAME_ALLOW, IFRAME_REFERRER_POLICY } from '../../../../domain/playback/embed-url.ts'
import type { PlayerSettings } from '../../../../domain/settings/player-settings.ts'
import { previewLookOf } from '../../../../domain/settings/preview-look.ts'
import { previewQuery } from '../../api/settings.ts'
import { videosQuery, type Video } from '../../api/videos.ts'
import { IconEye } from '../../icons/icons.tsx'
import { useWords } from '../../locales/words.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { Section } from '../../parts/section.tsx'
import { problemsOf, tidied } from './settings-rules.ts'
import classes from './settings.module.css'
import { useSettingsWords } from './words.ts'

/** After the last change, so that dragging a colour does not load a player for each shade. */
const DELAY_MS = 400

interface Props {
  account: string
  /** What the form holds. */
  values: PlayerSettings
  hint: string
  /** True to play at once, muted: the watermark shows only over a playing video. */
  isPlaying?: boolean
}

/** The real player with the look of the form. A token is signed at the click, and with each change after it. */
export function Preview({ account, values, hint, isPlaying = false }: Props) {
  const { preview } = useSettingsWords()
  const { data: videos } = useQuery(videosQuery(account, { status: 'ready' }))
  const [videoId, setVideoId] = useState<string>()
  const [isOn, setOn] = useState(false)
  const count = (videos?.counts?.ready ?? 0) + (videos?.counts?.playable ?? 0)
  return (
    <Section title={preview.title} hint={hint} className={classes.preview}>
      {videos ? null : <Skeleton className={classes.screen} />}
      {videos && isOn && count > 0 && (
        <LivePlayer {...{ account, values, videoId, isPlaying }} key={videoId} />
      )}
      {videos && !(isOn && count > 0) && (
        <div className={classes.screen}>
          {count === 0 ? (
            <p>{preview.none}</p>
          ) : (
            <Button
              variant="white"
              color="dark"
              radius="xl"
              leftSection={<IconEye size={18} />}
              onClick={() => setOn(true)}
            >
              {preview.show}
            </Button>
          )}
        </div>
      )}
      {videos && videos.data.length > 1 && (
        <VideoChoice videos={videos.data} chosen={videoId} choose={setVideoId} />
      )}
    </Section>
  )
}

interface ChoiceProps {
  videos: Video[]
  chosen: string | undefined
  choose: (id: string | undefined) => void
}

function VideoChoice({ videos, chosen, choose }: ChoiceProps) {
  const words = useWords()
  const { preview } = useSettingsWords()
  return (
    <Choice
      label={preview.video}
      value={chosen}
      any={preview.newest}
      options={videos.map(({ id, title }) => [id, title.trim() || words.videos.untitled])}
      onChoose={choose}
    />
  )
}

interface PlayerProps {
  account: string
  values: PlayerSettings
  videoId: string | undefined
  isPlaying: boolean
}

function LivePlayer({ account, values, videoId, isPlaying }: PlayerProps) {
  const { preview, rules } = useSettingsWords()
  const [settled] = useDebouncedValue(values, DELAY_MS)
  const isValid = Object.keys(problemsOf(settled, rules)).length === 0
  const { data, error } = useQuery({
    ...previewQuery(account, videoId, previewLookOf(tidied(settled))),
    enabled: isValid,
  })
  return (
    <>
      {error && <ErrorState error={error} />}
      <div className={classes.screen}>
        {data !== undefined && (
          <Frames
            address={isPlaying ? `${data}&autoplay=1&muted=1&loop=1` : data}
            title={preview.title}
          />
        )}
      </div>
      {!isValid && (
        <Text size="sm" c="dimmed">
          {preview.invalid}
        </Text>
      )}
    </>
  )
}

/** Shows the next player when it has loaded, so that a change does not flash. */
function Frames({ address, title }: { address: string; title: string }) {
  const [shown, setShown] = useState(address)
  const addresses = address === shown ? [shown] : [shown, address]
  return addresses.map((one) => (
    <iframe
      key={one}
      src={one}
      title={title}
      className={classes.frame}
      data-next={one !== shown}
      allow={IFRAME_ALLOW}
      referrerPolicy={IFRAME_REFERRER_POLICY}
      onLoad={() => setShown(one)}
    />
  ))
}
