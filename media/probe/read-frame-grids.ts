import { z } from 'zod'
import type { FrameGrid, SourceFacts } from '../../domain/ingest/source-facts.ts'
import { inputArguments } from '../ffmpeg.ts'
import { runTool, type MediaWork } from '../run-tool.ts'

const numeric = z.coerce.number().catch(0)
const probedSchema = z.looseObject({
  frames: z
    .array(z.looseObject({ stream_index: z.number(), pts: z.number(), nb_samples: z.number() }))
    .catch([]),
  streams: z
    .array(z.looseObject({ index: z.number(), time_base: z.string(), sample_rate: numeric }))
    .catch([]),
  format: z.looseObject({ start_time: numeric }),
})

type Probed = z.infer<typeof probedSchema>

/** Long enough to show a clock that is a few samples off. */
const READ_SECONDS = 10

/**
 * Reads where the frames of the audio tracks are, from the beginning of the file. Returns the tracks with their grids; null if
 * one of them has uneven times, as recordings of some phones and browsers do: its place in the middle is then known only roughly.
 */
export async function withFrameGrids(
  path: string,
  { audio }: Pick<SourceFacts, 'audio'>,
  work: MediaWork,
): Promise<SourceFacts['audio'] | null> {
  if (audio.length === 0) return []
  const probed = await probe(path, work)
  if (!probed) return null
  const tracks = audio.flatMap((track) => {
    const grid = gridOf(probed, track.index)
    return grid ? [{ ...track, grid }] : []
  })
  return tracks.length === audio.length ? tracks : null
}

async function probe(path: string, work: MediaWork): Promise<Probed | null> {
  const wanted = [
    ['-v', 'error', '-print_format', 'json', '-select_streams', 'a'],
    ['-read_intervals', `%+${READ_SECONDS}`, '-show_frames'],
    ['-show_entries', 'frame=stream_index,pts,nb_samples:stream=index,time_base,sample_rate'],
    ['-show_entries', 'format=start_time'],
  ].flat()
  const { exitCode, stdout } = await runTool('ffprobe', [...wanted, ...inputArguments(path)], work)
  if (exitCode !== 0) return null
  const parsed = probedSchema.safeParse(JSON.parse(stdout))
  return parsed.success ? parsed.data : null
}

/** Rounded times are off by half a tick; so is the one that the others are compared with. */
const ROUNDING_TICKS = 1.5
/** Frames that are closer together than this share of a tick cannot be told apart. */
const FRAME_TICKS_MIN = 2.5

function gridOf({ frames, streams, format }: Probed, index: number): FrameGrid | null {
  const stream = streams.find((one) => one.index === index)
  const own = frames.filter((frame) => frame.stream_index === index)
  const [first, ...others] = own
  if (!stream || !first || others.length === 0) return null
  const [numerator = 0, denominator = 1] = stream.time_base.split('/').map(Number)
  const { sample_rate: rate } = stream
  const tickSamples = (numerator * rate) / denominator
  const sampleOf = (pts: number): number => pts * tickSamples - format.start_time * rate
  // Of the first frame a decoder may discard a part.
  const startSample = Math.round(sampleOf(first.pts)) + first.nb_samples
  let expected = startSample
  for (const { pts, nb_samples } of others) {
    if (Math.abs(sampleOf(pts) - expected) > Math.max(1, tickSamples) * ROUNDING_TICKS) return null
    expected += nb_samples
  }
  if (tickSamples <= 1) return { frameSamples: 1, startSample, tickSamples }
  const frameSamples = others.map((frame) => frame.nb_samples).reduce(gcd)
  return frameSamples < FRAME_TICKS_MIN * tickSamples
    ? null
    : { frameSamples, startSample, tickSamples }
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
