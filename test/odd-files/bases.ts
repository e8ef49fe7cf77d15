import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'

/** Runs ffmpeg in `folder` with arguments that contain no spaces, separated by spaces. */
export async function ffmpeg(folder: string, command: string): Promise<void> {
  const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y']
  await execa('ffmpeg', [...quiet, ...command.trim().split(/\s+/)], { cwd: folder })
}

/** Two seconds of a moving picture at 25 frames per second. */
export const PICTURE = '-f lavfi -i testsrc2=s=128x72:r=25:d=2'
/** The same with grain, so that a file of it has bytes to destroy. */
export const GRAIN = '-f lavfi -i testsrc2=s=128x72:r=25:d=4,noise=alls=20:allf=t'
/** Two seconds in which a tone is heard in the first half of each. */
export const BEEPS = "-f lavfi -i aevalsrc='0.5*sin(880*PI*t)*lt(mod(t,1),0.5)':d=2"
/** Two seconds of a tone. */
export const AUDIO = '-f lavfi -i sine=440:d=2'
/** The encoder of most sources. */
export const H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'

const CHAPTERS = `;FFMETADATA1
[CHAPTER]
TIMEBASE=1/1000
START=0
END=1000
title=Opening
[CHAPTER]
TIMEBASE=1/1000
START=1000
END=2000
title=The end
`
const SUBTITLES = '1\n00:00:00,200 --> 00:00:01,500\nGood <i>evening</i>\n'

/** Makes the files that many odd files are made from. */
export async function makeBases(folder: string): Promise<void> {
  await writeFile(join(folder, 'chapters.txt'), CHAPTERS)
  await writeFile(join(folder, 'words.srt'), SUBTITLES)
  await Promise.all([
    ffmpeg(folder, `${PICTURE} ${AUDIO} ${H264} -bf 2 -g 250 -c:a aac va.mp4`),
    ffmpeg(folder, `${PICTURE} ${H264} -bf 2 -g 25 v.mp4`),
    ffmpeg(folder, `${PICTURE} ${BEEPS} ${H264} -bf 2 -g 250 -c:a aac beeps.mp4`),
    ffmpeg(folder, `${GRAIN} ${H264} -bf 0 -g 10 -movflags +faststart grain.mp4`),
  ])
  await Promise.all([
    ffmpeg(folder, '-i beeps.mp4 -c copy beeps.ts'),
    ffmpeg(folder, '-i beeps.mp4 -c copy -output_ts_offset 4000 later.ts'),
    ffmpeg(folder, '-i grain.mp4 -c copy grain.mkv'),
    ffmpeg(folder, '-i grain.mp4 -c copy grain.ts'),
    ffmpeg(folder, '-i grain.mp4 -c copy grain.avi'),
  ])
}

/** Writes a changed copy of a file. */
export async function change(
  folder: string,
  [from, to]: [string, string],
  edit: (bytes: Buffer) => Buffer,
): Promise<void> {
  await writeFile(join(folder, to), edit(await readFile(join(folder, from))))
}

const packetsSchema = z.object({
  packets: z.array(z.object({ pos: z.coerce.number(), size: z.coerce.number() })),
})

/** Where the packets of a stream (`v` or `a`) lie in a file. */
export async function packetsOf(path: string, stream: 'v' | 'a') {
  const wanted = ['-v', 'error', '-select_streams', stream, '-show_entries', 'packet=pos,size']
  const { stdout } = await execa('ffprobe', [...wanted, '-of', 'json', path])
  return packetsSchema.parse(JSON.parse(stdout)).packets
}

/** Replaces a part of a file by bytes that mean nothing, the same in each run. */
export function destroy(bytes: Buffer, from: number, to: number): Buffer<ArrayBuffer> {
  const changed = Buffer.from(bytes)
  for (let at = Math.floor(from); at < to; at += 1)
    changed[at] = ((at * 2_654_435_761) >>> 13) & 255
  return changed
}

/** The first part of a file. */
export const cut =
  (share: number) =>
  (bytes: Buffer): Buffer =>
    bytes.subarray(0, Math.floor(bytes.length * share))
