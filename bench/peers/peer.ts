import { execa } from 'execa'
import { planLadder } from '../../domain/encoding/ladder.ts'

/**
 * Short, because the slowest peer takes twenty times as long on two cores: rounds with a minute would take two hours. What a
 * way does once counts for more than with a minute, which is to the disadvantage of an ingest.
 */
const SECONDS = Number(process.env.BENCH_PEERS_SECONDS ?? 10)
export const SOURCE = { size: [1920, 1080], fps: 30, seconds: SECONDS } as const

const [width, height] = SOURCE.size
const availableResolutions = [240, 360, 480, 720, 1080]

/** The heights of our ladder for the source, from low to high: all ways encode these. */
export const HEIGHTS = planLadder({ width, height, availableResolutions })
  .map((rung) => rung.height)
  .toSorted((a, b) => a - b)

/** Encodes the source into an empty folder with the commands of a peer. Returns the file of each height. */
export type Encode = (source: string, folder: string) => Promise<Map<number, string>>

/**
 * Runs ffmpeg in a folder. Peers log progress and some lower the priority; both are left out, because neither changes what
 * an idle machine encodes.
 */
export async function runFfmpeg(args: readonly string[], cwd: string): Promise<void> {
  await execa('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args], { cwd })
}
