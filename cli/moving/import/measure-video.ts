import { z } from 'zod'
import type { MeasuredVideo } from '../../../domain/moving/estimate.ts'
import { parseJson } from '../../../domain/parse-json.ts'
import { inputArguments } from '../../../media/ffmpeg.ts'
import { MachineError, MediaError } from '../../../media/media-error.ts'
import { runTool } from '../../../media/run-tool.ts'

const probed = z.object({
  streams: z
    .array(z.object({ width: z.number().positive(), height: z.number().positive() }))
    .min(1),
  format: z.object({ duration: z.coerce.number().positive() }),
})

const STALL_MS = 10_000

/** Reads length and size of a video with ffprobe. Null if it cannot tell. */
export async function measureVideo(
  path: string,
  signal: AbortSignal,
): Promise<MeasuredVideo | 'no-ffprobe' | null> {
  const wanted = ['-show_entries', 'stream=width,height:format=duration', '-of', 'json']
  const args = ['-v', 'error', '-select_streams', 'v:0', ...wanted, ...inputArguments(path)]
  try {
    const { stdout } = await runTool('ffprobe', args, { signal, stallMs: STALL_MS })
    const parsed = probed.safeParse(parseJson(stdout))
    const [stream] = parsed.data?.streams ?? []
    if (!parsed.success || !stream) return null
    return { seconds: parsed.data.format.duration, width: stream.width, height: stream.height }
  } catch (error) {
    if (error instanceof MachineError) return 'no-ffprobe'
    if (error instanceof MediaError && !signal.aborted) return null
    throw error
  }
}
