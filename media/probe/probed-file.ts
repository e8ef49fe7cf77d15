import { z } from 'zod'

const tags = z.record(z.string(), z.string()).catch({})
const numeric = z.coerce.number().catch(0)
const flag = z.coerce.boolean().catch(false)
const dispositionSchema = z.looseObject({
  default: flag,
  dub: flag,
  comment: flag,
  hearing_impaired: flag,
  visual_impaired: flag,
  attached_pic: flag,
  timed_thumbnails: flag,
})

const streamSchema = z.looseObject({
  index: z.number(),
  codec_type: z.string().catch('unknown'),
  codec_name: z.string().catch('unknown'),
  codec_tag_string: z.string().catch(''),
  width: numeric,
  height: numeric,
  channels: numeric,
  sample_rate: numeric,
  disposition: dispositionSchema.catch(() => dispositionSchema.parse({})),
  tags,
})

/** The output of ffprobe. */
export const probeSchema = z.looseObject({
  /** The first one. */
  packets: z
    .array(
      z.looseObject({
        side_data_list: z.array(z.looseObject({ side_data_type: z.string().catch('') })).catch([]),
      }),
    )
    .catch([]),
  streams: z.array(streamSchema).catch([]),
  chapters: z.array(z.unknown()).catch([]),
  format: z.looseObject({
    format_name: z.string(),
    duration: z.string().optional(),
    start_time: numeric,
  }),
})

export type ProbedStream = z.infer<typeof streamSchema>
export type Probed = z.infer<typeof probeSchema>

/** True for pictures that are not part of a video. */
export const isCover = ({ disposition }: ProbedStream): boolean =>
  disposition.attached_pic || disposition.timed_thumbnails

/** True for the tracks that a video may have. */
export const isPicture = (stream: ProbedStream): boolean =>
  stream.codec_type === 'video' && !isCover(stream)

/** True for audio that a decoder knows. */
export const isAudible = (stream: ProbedStream): boolean =>
  stream.codec_type === 'audio' && stream.channels > 0 && stream.codec_name !== 'unknown'
