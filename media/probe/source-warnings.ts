import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import { warningsOf, type VideoWarning } from '../../domain/videos/video-warnings.ts'
import { isCover, isPicture, type ProbedStream } from './probed-file.ts'
import { FRAME_RATE_MAX, hasCornersCut, statedRate } from './source-picture.ts'

/** MP4 has the titles of chapters in a track. */
const isChapterTitles = ({ codec_tag_string: tag }: ProbedStream): boolean => tag === 'text'

/** Says what of the file is not played, or not as it is. */
export function warningsOfStreams(
  streams: ProbedStream[],
  { picture, isTransparent }: { picture: ProbedStream; isTransparent: boolean },
  { video, audio }: SourceFacts,
): VideoWarning[] {
  const count = (test: (stream: ProbedStream) => boolean): number => streams.filter(test).length
  const ofType = (type: string) => count(({ codec_type }) => codec_type === type)
  const sourceRate = Math.round(statedRate(picture))
  return warningsOf({
    video_tracks_dropped: count(isPicture) - 1,
    audio_tracks_dropped: ofType('audio') - audio.length,
    surround_downmixed: audio.filter(({ channels }) => channels > 2).length,
    data_tracks_dropped: count((one) => one.codec_type === 'data' && !isChapterTitles(one)),
    attachments_dropped:
      ofType('attachment') + count((one) => one.codec_type === 'video' && isCover(one)),
    hdr_converted: video.hdr ? 1 : 0,
    transparency_dropped: isTransparent ? 1 : 0,
    corners_cut: hasCornersCut(picture) ? 1 : 0,
    frame_rate_reduced: sourceRate > FRAME_RATE_MAX ? sourceRate : 0,
  })
}
