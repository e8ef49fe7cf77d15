import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

/** Runs ffmpeg in `folder` with arguments that contain no spaces, separated by spaces. */
export async function ffmpeg(folder: string, command: string): Promise<void> {
  const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y']
  await execa('ffmpeg', [...quiet, ...command.trim().split(/\s+/)], { cwd: folder })
}

/** Two seconds of a moving picture at 25 frames per second. */
export const PICTURE = '-f lavfi -i testsrc2=s=128x72:r=25:d=2'
/** The same with grain, so that a file of it has bytes to destroy. */
const GRAIN = '-f lavfi -i testsrc2=s=128x72:r=25:d=4,noise=alls=20:allf=t'
/** Two seconds of a tone. */
export const SOUND = '-f lavfi -i sine=440:d=2'
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
    ffmpeg(folder, `${PICTURE} ${SOUND} ${H264} -bf 2 -g 250 -c:a aac va.mp4`),
    ffmpeg(folder, `${PICTURE} ${H264} -bf 2 -g 25 v.mp4`),
    ffmpeg(folder, `${GRAIN} ${H264} -bf 0 -g 10 -movflags +faststart grain.mp4`),
  ])
  await Promise.all([
    ffmpeg(folder, '-i va.mp4 -c copy va.ts'),
    ffmpeg(folder, '-i va.mp4 -c copy -output_ts_offset 4000 later.ts'),
    ffmpeg(folder, '-i grain.mp4 -c copy grain.mkv'),
    ffmpeg(folder, '-i grain.mp4 -c copy grain.ts'),
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

/** The first part of a file. */
export const cut =
  (share: number) =>
  (bytes: Buffer): Buffer =>
    bytes.subarray(0, Math.floor(bytes.length * share))

/** A file with a part of its bytes replaced by others, from one share of it to another. */
export const destroy =
  (from: number, to: number) =>
  (bytes: Buffer): Buffer => {
    const [start, end] = [from, to].map((share) => Math.floor(bytes.length * share))
    const damaged = Buffer.from(bytes)
    for (let at = start ?? 0; at < (end ?? 0); at += 1)
      damaged[at] = ((bytes[at] ?? 0) * 167 + at * 31) & 255
    return damaged
  }
