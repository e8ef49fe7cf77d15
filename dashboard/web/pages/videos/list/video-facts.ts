import { isFinal, type VideoStatus } from '../../../../../domain/videos/video-state.ts'
import type { Video, VideoProgress, VideoStep } from '../../../api/videos.ts'
import { useWords } from '../../../locales/words.tsx'
import { useFormats } from '../../../parts/text/formats.ts'
import { currentStep } from '../video/step-words.ts'

interface ShownVideo {
  title: string
  status: VideoStatus
  /** What is being done with it now. */
  step: VideoStep | undefined
  /** Empty until it is known. */
  length: string
}

/** What a list says of a video. */
export function useShownVideo(video: Video, progress: VideoProgress | undefined): ShownVideo {
  const { videos } = useWords()
  const { duration } = useFormats()
  const status = progress?.status ?? video.status
  return {
    title: video.title.trim() || videos.untitled,
    status,
    step: isFinal(status) ? undefined : currentStep(progress?.steps ?? []),
    length: video.duration === null ? '' : duration(video.duration),
  }
}
