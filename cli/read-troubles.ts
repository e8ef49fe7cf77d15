import type { StepTrouble } from '../temporal/video-progress.ts'
import type { Context } from './context.ts'

const DEADLINE_MS = 2_000

/** The steps of a video that fail and are tried again; null where Temporal does not answer, or knows no such video. */
export async function readTroubles(
  context: Context,
  videoId: string,
): Promise<StepTrouble[] | null> {
  const [{ openClient }, { readStepTroubles }] = await Promise.all([
    import('../temporal/connect.ts'),
    import('../temporal/video-progress.ts'),
  ])
  const namespace = context.config.TEMPORAL_NAMESPACE
  const client = openClient({ address: context.temporalAddress(), namespace })
  try {
    const read = () => readStepTroubles(client, videoId)
    return await client.withDeadline(Date.now() + DEADLINE_MS, read)
  } catch {
    return null
  } finally {
    await client.connection.close()
  }
}
