import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { SOURCE } from './peer.ts'

/** What a way of encoding has made of the source. */
export interface Result {
  /** Of all files together. */
  bytes: number
  /** By their height. */
  files: Map<number, ResultFile>
}

interface ResultFile {
  /** The arguments with which ffmpeg opens its picture. */
  input: string[]
  /** Of its picture and the audio that a viewer gets with it. */
  bytes: number
}

/** Returns what a peer has left in a folder, of which `files` has the path of each height. */
export async function readResult(folder: string, files: Map<number, string>): Promise<Result> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))))
  const entries = [...files].map(async ([height, path]): Promise<[number, ResultFile]> => [
    height,
    { input: ['-i', path], bytes: await sizeOf(path) },
  ])
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    files: new Map(await Promise.all(entries)),
  }
}

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size

/** Pairs frames by their number, because the files have other time bases. */
const BY_NUMBER = 'settb=AVTB,setpts=N*1000'

/**
 * Returns the mean SSIM of the luma against the source in dB, by height. Smaller pictures are enlarged to the size of the
 * source, as a viewer would see them, so that no way of making them smaller is the measure. Throws if a file has too few frames.
 */
export async function similarityOf(
  source: string,
  { files }: Result,
  heights: readonly number[],
): Promise<Map<number, number>> {
  const [width, height] = SOURCE.size
  const inputs = heights.map((one) => files.get(one)?.input ?? [])
  const repeated = await Promise.all(inputs.map(countRepeated))
  const references = heights.map((one) => `[source${one}]`).join('')
  const pairs = heights.flatMap((one, index) => [
    `[${index + 1}:v]trim=start_frame=${repeated[index]},${BY_NUMBER},scale=${width}:${height}:flags=bicubic[file${one}]`,
    `[file${one}][source${one}]ssim@${one}`,
  ])
  const graph = [`[0:v]${BY_NUMBER},split=${heights.length}${references}`, ...pairs].join(';')
  const sources = ['-hide_banner', '-nostdin', '-i', source, ...inputs.flat()]
  const output = ['-filter_complex', graph, '-f', 'null', '-']
  const { stderr } = await execa('ffmpeg', [...sources, ...output])
  const measured = [...stderr.matchAll(/ssim@(\d+) @ [^\]]*\] SSIM Y:([\d.]+)/g)].map(
    ([, one, ssim]) => [Number(one), -10 * Math.log10(1 - Number(ssim))] as const,
  )
  if (measured.length !== heights.length) throw new Error(`no SSIM: ${stderr.slice(-500)}`)
  return new Map(measured)
}

/**
 * Returns how many frames a file has more than the source. They are repeats of the first one: ffmpeg writes them if its input
 * does not begin at zero, as the files that PeerTube encodes again.
 */
async function countRepeated(input: readonly string[]): Promise<number> {
  const wanted = ['-v', 'error', '-select_streams', 'v', '-count_packets', '-of', 'csv=p=0']
  const entry = ['-show_entries', 'stream=nb_read_packets']
  const { stdout } = await execa('ffprobe', [...wanted, ...entry, ...input])
  const count = Number.parseInt(stdout) - SOURCE.fps * SOURCE.seconds
  if (!(count >= 0 && count <= 2)) throw new Error(`a file has ${stdout} frames`)
  return count
}
