import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import type { VideoWarningCode } from '../../domain/videos/video-warnings.ts'
import { AUDIO, change, cut, destroy, ffmpeg, GRAIN, H264, packetsOf, PICTURE } from './bases.ts'
import { inDolbyVision, turned } from './boxes.ts'
import { fieldCoded } from './field-coded.ts'
import { pictureSubtitles } from './picture-subtitles.ts'

/** How a file ends. */
type End = Ready | { failed: string; message?: RegExp }

/** What is published of a file. What is not named is as in the first file of the table. */
export interface Ready {
  size?: [number, number]
  /** Of the longest rendition. */
  seconds?: number
  /** Decoded frames of the published rendition. */
  frames?: number
  /** The matrix that the rendition is tagged with. */
  matrix?: 'smpte170m' | 'bt470bg' | 'bt709'
  /** Start, end and title. */
  chapters?: string[]
  /** Language, label and text. */
  captions?: string[]
  /** Where its first audio rendition can be heard, from and to, in seconds. */
  sound?: [number, number][]
  /** Languages and labels of its audio renditions, and their purposes if they have one. */
  audio?: (string | null)[][]
  warnings?: VideoWarningCode[]
}

/** A file with its end. */
export interface OddFile {
  title: string
  name: string
  make: string | ((folder: string, name: string) => Promise<void>)
  end: End
  /** Only `npm run verify:odd-files` has it: another file, or another test, shows the same in `npm test`. */
  isExtra?: boolean
}

const file = (title: string, name: string, make: OddFile['make'], end: End = {}): OddFile => ({
  title,
  name,
  make,
  end,
})
const another = (...one: Parameters<typeof file>): OddFile => ({ ...file(...one), isExtra: true })
const written = (bytes: string | Buffer) => (folder: string, name: string) =>
  writeFile(join(folder, name), bytes)
const changed = (from: string, edit: (bytes: Buffer) => Buffer) => (folder: string, name: string) =>
  change(folder, [from, name], edit)
export const joined = (first: string, second: string) => async (folder: string, name: string) => {
  const parts = [first, second].map((part) => readFile(join(folder, part)))
  await writeFile(join(folder, name), Buffer.concat(await Promise.all(parts)))
}
const source = (picture: string) => `-f lavfi -i ${picture}`
const UNKNOWN = [null, null]
const MUTE = { audio: [] }
export const X265 = '-c:v libx265 -preset ultrafast -x265-params log-level=error'
export const BT2020 = '-color_primaries bt2020 -colorspace bt2020nc'
const six = (channels: number, layout: string) =>
  source(
    `aevalsrc=${Array.from({ length: channels }, () => '0.9*sin(880*t)').join('|')}:c=${layout}:d=2`,
  )

const UNREADABLE: OddFile[] = [
  file('nothing', 'empty.mp4', written(''), { failed: 'unreadable_file' }),
  file('a web page', 'page.mp4', written('<!doctype html><title>Sign in</title>'), {
    failed: 'unsupported_container',
  }),
  file('text', 'text.mp4', written('hello\n'.repeat(1000)), { failed: 'unsupported_container' }),
  file(
    'an archive with a password',
    'secret.mp4',
    written(Buffer.from('504b0304140009000800', 'hex')),
    {
      failed: 'unsupported_container',
    },
  ),
  file('an MP4 without its index', 'no-index.mp4', changed('va.mp4', cut(0.5)), {
    failed: 'unreadable_file',
    message: /index/,
  }),
  file('a QuickTime file without its index', 'no-index.mov', changed('v.mp4', cut(0.7)), {
    failed: 'unreadable_file',
    message: /index/,
  }),
  file(
    'an encrypted MP4',
    'encrypted.mp4',
    `-i va.mp4 -c copy -encryption_scheme cenc-aes-ctr -encryption_key 00112233445566778899aabbccddeeff -encryption_kid 00112233445566778899aabbccddeeff`,
    {
      failed: 'encrypted_source',
    },
  ),
  file('audio alone', 'sound.m4a', `${AUDIO} -c:a aac`, { failed: 'no_video_stream' }),
  file(
    'audio with a cover picture',
    'cover.m4a',
    `${AUDIO} ${source('color=red:s=60x60:d=0.04')} -c:a aac -c:v mjpeg -frames:v 1 -disposition:v attached_pic`,
    {
      failed: 'no_video_stream',
    },
  ),
]

/** Destroys a part of the bytes of a file, from one share of them to another. */
const destroyed = (from: string, begin: number, end: number) =>
  changed(from, (bytes) => destroy(bytes, bytes.length * begin, bytes.length * end))
/** Ends a file within a frame, of 100. */
const cutInFrame = (from: string, frame: number) => async (folder: string, name: string) => {
  const { pos = 0 } = (await packetsOf(join(folder, from), 'v'))[frame] ?? {}
  await change(folder, [from, name], (bytes) => bytes.subarray(0, pos + 3 * 188))
}
/** Destroys the packets of a stream of a file, from one to another. */
export const destroyedPackets =
  (from: string, stream: 'v' | 'a', [first, last]: [number, number]) =>
  async (folder: string, name: string) => {
    const packets = (await packetsOf(join(folder, from), stream)).slice(first, last)
    const edit = (bytes: Buffer): Buffer =>
      packets.reduce((result, { pos, size }) => destroy(result, pos, pos + size), bytes)
    await change(folder, [from, name], edit)
  }
const TOO_DAMAGED = (percent: RegExp) => ({ failed: 'source_damaged', message: percent })
const DAMAGE: Ready = { ...MUTE, seconds: 4, frames: 100, warnings: ['picture_damaged'] }

const DAMAGED: OddFile[] = [
  file('an MP4 cut at half', 'half.mp4', cutInFrame('grain.mp4', 50), TOO_DAMAGED(/: 5\d percent/)),
  another(
    'a Matroska file cut at half',
    'half.mkv',
    cutInFrame('grain.mkv', 50),
    TOO_DAMAGED(/: 5\d percent/),
  ),
  another(
    'an AVI file cut at half',
    'half.avi',
    cutInFrame('grain.avi', 50),
    TOO_DAMAGED(/: 5\d percent/),
  ),
  another('an MP4 cut at nine tenths', 'most.mp4', cutInFrame('grain.mp4', 90), {
    ...DAMAGE,
    seconds: 3.6,
    frames: 90,
  }),
  file('a Matroska file cut at nine tenths', 'most.mkv', cutInFrame('grain.mkv', 90), {
    ...DAMAGE,
    seconds: 3.6,
    frames: 90,
  }),
  another('a transport stream cut in a frame', 'most.ts', cutInFrame('grain.ts', 90), {
    ...DAMAGE,
    seconds: 3.64,
    frames: 91,
  }),
  another(
    'an MP4 with a destroyed third',
    'third.mp4',
    destroyed('grain.mp4', 0.33, 0.66),
    TOO_DAMAGED(/: 3\d percent/),
  ),
  another(
    'a Matroska file with a destroyed third',
    'third.mkv',
    destroyed('grain.mkv', 0.33, 0.66),
    TOO_DAMAGED(/: 3\d percent/),
  ),
  file(
    'a transport stream with a destroyed third',
    'third.ts',
    destroyed('grain.ts', 0.33, 0.66),
    TOO_DAMAGED(/: 3\d percent/),
  ),
  another(
    'an MP4 with ten destroyed frames',
    'ten-frames.mp4',
    destroyedPackets('grain.mp4', 'v', [40, 50]),
    DAMAGE,
  ),
  another(
    'a Matroska file with a destroyed tenth',
    'tenth.mkv',
    destroyed('grain.mkv', 0.45, 0.55),
    DAMAGE,
  ),
  ...[
    ['FFV1 with wrong checksums', 'crc.mkv', 'ffv1 -level 3 -slicecrc 1', 0.99] as const,
    ['Motion JPEG whose frames are damaged', 'mjpeg.mkv', 'mjpeg -pix_fmt yuvj422p', 0.5] as const,
    ['Theora whose frames are damaged', 'theora.mkv', 'libtheora', 0.5] as const,
    ['Windows Media whose frames are damaged', 'wmv.mkv', 'wmv2', 0.5] as const,
    ['JPEG 2000 whose frames are damaged', 'jpeg2000.mkv', 'jpeg2000', 0.5] as const,
  ].map(([title, name, codec, from], index) => ({
    ...file(
      title,
      name,
      async (folder, file) => {
        await ffmpeg(folder, `${GRAIN} -c:v ${codec} whole-${file}`)
        const packets = (await packetsOf(join(folder, `whole-${file}`), 'v')).slice(40, 50)
        await change(folder, [`whole-${file}`, file], (bytes) =>
          packets.reduce((result, { pos, size }) => {
            const at = pos + Math.floor(size * from)
            return destroy(result, at, Math.min(at + 40, pos + size - 8))
          }, bytes),
        )
      },
      { ...DAMAGE, ...(codec.startsWith('mjpeg') && { matrix: 'bt470bg' as const }) },
    ),
    isExtra: index > 0,
  })),
  file(
    'fragments in which every second picture is missing',
    'thinned.mp4',
    async (folder, name) => {
      await ffmpeg(folder, `${GRAIN} -c:v libx264 -pix_fmt yuv420p -g 25 -bf 2 whole-${name}`)
      const thin =
        "-c copy -bsf:v noise=drop='mod(n,2)*not(key)' -movflags frag_keyframe+empty_moov"
      await ffmpeg(folder, `-i whole-${name} ${thin} ${name}`)
    },
    { ...DAMAGE, frames: 98 },
  ),
  another(
    'HEVC in which every second picture is missing',
    'thinned-hevc.mp4',
    async (folder, name) => {
      await ffmpeg(folder, `${GRAIN} ${X265}:keyint=25:bframes=0 whole-${name}`)
      await ffmpeg(folder, `-i whole-${name} -c copy -bsf:v noise=drop='mod(n,2)*not(key)' ${name}`)
    },
    { ...DAMAGE, frames: 99 },
  ),
  another(
    'audio of which a part is destroyed',
    'broken-sound.mp4',
    destroyedPackets('beeps.mp4', 'a', [30, 50]),
    {
      sound: [
        [0, 0.5],
        [1.16, 1.5],
      ],
      warnings: ['sound_damaged'],
    },
  ),
]

export const FOUR_BEEPS: [number, number][] = [0, 1, 2, 3].map((second) => [second, second + 0.5])

const TIMES: OddFile[] = [
  another('a usual file', 'usual.mp4', '-i va.mp4 -c copy', {}),
  file(
    'an MP4 trimmed without encoding, whose only keyframe is before its edit list',
    'trimmed.mp4',
    '-ss 0.9 -i va.mp4 -c copy',
    { seconds: 1.1, frames: 27 },
  ),
  another(
    'a Matroska file that starts late',
    'late.mkv',
    '-itsoffset 100 -i va.mp4 -copyts -c copy',
    {
      frames: 51,
    },
  ),
  another('a transport stream with a jump in time', 'jump.ts', joined('beeps.ts', 'later.ts'), {
    seconds: 4,
    frames: 100,
    sound: FOUR_BEEPS,
  }),
  file(
    'a transport stream whose second part begins half a frame off',
    'gap.ts',
    async (folder, name) => {
      await Promise.all([
        ffmpeg(folder, '-i v.mp4 -c copy gap-a.ts'),
        ffmpeg(folder, '-i v.mp4 -c copy -output_ts_offset 2.5 gap-b.ts'),
      ])
      await joined('gap-a.ts', 'gap-b.ts')(folder, name)
    },
    { ...MUTE, seconds: 4.5, frames: 111 },
  ),
  another('two joined transport streams', 'joined.ts', joined('beeps.ts', 'beeps.ts'), {
    seconds: 4,
    frames: 100,
    sound: FOUR_BEEPS,
  }),
  file(
    'an MP4 whose edit list leaves out its end',
    'trimmed-end.mp4',
    changed('v.mp4', (bytes) => {
      const shorter = Buffer.from(bytes)
      // Behind the name: version and flags, the number of entries, and the length of the first in milliseconds.
      shorter.writeUInt32BE(1_000, shorter.indexOf('elst') + 12)
      return shorter
    }),
    { ...MUTE, seconds: 1, frames: 25 },
  ),
  another(
    'one keyframe in the whole file',
    'rare.mp4',
    `${source('testsrc2=s=128x72:r=25:d=4')} ${H264} -bf 3 -g 1000`,
    { ...MUTE, seconds: 4, frames: 100 },
  ),
  another(
    'a Matroska file without an index, and without its length',
    'live.mkv',
    async (folder, name) => {
      const piped = ['-i', 'va.mp4', '-c', 'copy', '-f', 'matroska', '-']
      const { stdout } = await execa('ffmpeg', piped, { cwd: folder, encoding: 'buffer' })
      await writeFile(join(folder, name), stdout)
    },
    { frames: 51 },
  ),
  another(
    'a fragmented MP4',
    'fragmented.mp4',
    '-i va.mp4 -c copy -movflags frag_keyframe+empty_moov',
    { frames: 52 },
  ),
  another(
    'negative times',
    'negative.mkv',
    '-i va.mp4 -c copy -avoid_negative_ts disabled -output_ts_offset -0.1',
    { frames: 51 },
  ),
  another('one frame', 'one.mp4', `${PICTURE} ${H264} -frames:v 1`, {
    ...MUTE,
    seconds: 0.04,
    frames: 1,
  }),
  another('one frame per second', 'slow.mp4', `${source('testsrc2=s=128x72:r=1:d=3')} ${H264}`, {
    ...MUTE,
    seconds: 3,
    frames: 3,
  }),
  another('120 frames per second', 'fast.mp4', `${source('testsrc2=s=128x72:r=120:d=1')} ${H264}`, {
    ...MUTE,
    seconds: 1,
    frames: 60,
    warnings: ['frame_rate_reduced'],
  }),
  another(
    '30000/1001 frames per second',
    'ntsc.mp4',
    `${source('testsrc2=s=128x72:r=30000/1001:d=2')} ${H264}`,
    { ...MUTE, frames: 60 },
  ),
  another(
    'a variable rate',
    'variable.mp4',
    `${PICTURE} -vf select='if(lt(t,1),1,not(mod(n,5)))' -vsync vfr ${H264}`,
    { ...MUTE, frames: 46 },
  ),
  another(
    'sparse frames',
    'sparse.mkv',
    `${PICTURE} -vf select='eq(n,0)+eq(n,20)+eq(n,49)' -vsync vfr ${H264}`,
    { ...MUTE },
  ),
  another(
    'a frame held to the end',
    'held.mp4',
    `${PICTURE} ${AUDIO} -vf select='lt(n,25)' -vsync vfr ${H264} -c:a aac`,
    { frames: 25 },
  ),
  another(
    'audio that begins late',
    'late-sound.mp4',
    `${PICTURE} -itsoffset 0.8 ${AUDIO} ${H264} -c:a aac`,
    { seconds: 2.8, frames: 50 },
  ),
  another(
    'a picture that begins late',
    'late-picture.mkv',
    `-itsoffset 0.8 ${PICTURE} ${AUDIO} ${H264} -c:a aac`,
    { seconds: 2.8, frames: 71 },
  ),
  another(
    'audio that ends early',
    'short-sound.mp4',
    `${PICTURE} -f lavfi -i sine=440:d=0.7 ${H264} -c:a aac`,
    {},
  ),
  another(
    'audio that ends late',
    'long-sound.mp4',
    `${PICTURE} -f lavfi -i sine=440:d=3 ${H264} -c:a aac`,
    { seconds: 3, frames: 50 },
  ),
  another(
    'an open group of pictures',
    'open.mp4',
    `${PICTURE} -c:v libx264 -preset fast -x264-params open-gop=1:keyint=10:bframes=3`,
    { ...MUTE },
  ),
  another('a raw stream', 'raw.h264', '-i v.mp4 -c copy -bsf:v h264_mp4toannexb', { ...MUTE }),
]

const PICTURES: OddFile[] = [
  file('Motion JPEG in full range', 'mj.avi', `${PICTURE} -c:v mjpeg -pix_fmt yuvj420p`, {
    ...MUTE,
    matrix: 'bt470bg',
  }),
  file('GIF', 'animated.gif', PICTURE, MUTE),
  another(
    'GIF with transparent pixels',
    'transparent.gif',
    `${PICTURE} -vf format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*gt(X,20)',split[a][b];[a]palettegen[p];[b][p]paletteuse`,
    { ...MUTE, warnings: ['transparency_dropped'] },
  ),
  another('ProRes', 'prores.mov', `${PICTURE} -c:v prores_ks`, MUTE),
  another(
    'DV',
    'dv.dv',
    `${source('testsrc2=s=720x576:r=25:d=0.4')} -pix_fmt yuv420p -c:v dvvideo`,
    {
      ...MUTE,
      size: [320, 240],
      seconds: 0.4,
      frames: 10,
      matrix: 'bt470bg',
    },
  ),
  another('VP8', 'vp8.webm', `${PICTURE} -c:v libvpx -deadline realtime`, MUTE),
  another(
    'VP8 with transparency',
    'alpha-vp8.webm',
    `${PICTURE} -vf format=yuva420p -c:v libvpx -auto-alt-ref 0 -deadline realtime`,
    { ...MUTE, warnings: ['transparency_dropped'] },
  ),
  file(
    'VP9 with transparency',
    'alpha-vp9.webm',
    `${PICTURE} -vf format=yuva420p -c:v libvpx-vp9 -deadline realtime`,
    { ...MUTE, warnings: ['transparency_dropped'] },
  ),
  another('VP9', 'vp9.webm', `${PICTURE} -c:v libvpx-vp9 -deadline realtime`, MUTE),
  another('AV1', 'av1.mkv', `${PICTURE} -c:v libsvtav1 -preset 12`, MUTE),
  another('HEVC in 10 bit', 'ten.mp4', `${PICTURE} ${X265} -pix_fmt yuv420p10le`, MUTE),
  another('FFV1 in RGB', 'rgb.mkv', `${PICTURE} -pix_fmt bgr0 -c:v ffv1`, MUTE),
  another('MPEG-4 with packed frames', 'packed.avi', `${PICTURE} -c:v mpeg4 -bf 2`, {
    ...MUTE,
    frames: 51,
  }),
  file('Theora', 'theora.ogv', `${PICTURE} -c:v libtheora`, MUTE),
  another('Windows Media', 'media.wmv', `${PICTURE} -c:v wmv2`, MUTE),
  file('Flash', 'flash.flv', `${PICTURE} -c:v flv`, MUTE),
  another(
    '4:4:4',
    'chroma.mkv',
    `${PICTURE} -c:v libx264 -preset ultrafast -pix_fmt yuv444p`,
    MUTE,
  ),
  another(
    '4:2:2 in 10 bit',
    'broadcast.mkv',
    `${PICTURE} -c:v libx264 -preset ultrafast -pix_fmt yuv422p10le`,
    MUTE,
  ),
  another('transparency', 'alpha.mov', `${PICTURE} -vf format=argb -c:v qtrle`, {
    ...MUTE,
    warnings: ['transparency_dropped'],
  }),
  another(
    'HDR10',
    'hdr10.mp4',
    `${PICTURE} ${X265} -pix_fmt yuv420p10le ${BT2020} -color_trc smpte2084`,
    { ...MUTE, matrix: 'bt709', warnings: ['hdr_converted'] },
  ),
  another(
    'HLG',
    'hlg.mp4',
    `${PICTURE} ${X265} -pix_fmt yuv420p10le ${BT2020} -color_trc arib-std-b67`,
    { ...MUTE, matrix: 'bt709', warnings: ['hdr_converted'] },
  ),
  ...[[5, 0, 'unsupported_dolby_vision'] as const, [8, 1, null] as const].map(
    ([profile, baseLayer, failed]) => ({
      ...file(
        `Dolby Vision of profile ${profile}`,
        `dolby-${profile}.mp4`,
        async (folder: string, name: string) => {
          const tags = `${BT2020} -color_trc smpte2084 -tag:v hvc1`
          await ffmpeg(folder, `${PICTURE} ${X265} -pix_fmt yuv420p10le ${tags} plain-${name}`)
          await change(folder, [`plain-${name}`, name], (bytes) =>
            inDolbyVision(bytes, profile, baseLayer),
          )
        },
        failed
          ? { failed, message: /profile 5/ }
          : { ...MUTE, matrix: 'bt709', warnings: ['hdr_converted'] },
      ),
      isExtra: failed === null,
    }),
  ),
  another(
    'HDR with its transfer function alone',
    'bare-hdr.mp4',
    `${PICTURE} ${X265} -pix_fmt yuv420p10le -color_trc smpte2084`,
    { ...MUTE, matrix: 'bt709', warnings: ['hdr_converted'] },
  ),
  another(
    'a wide gamut in SDR',
    'wide-gamut.mp4',
    `${PICTURE} ${X265} -pix_fmt yuv420p10le ${BT2020} -color_trc bt2020-10`,
    { ...MUTE, matrix: 'bt709' },
  ),
  another(
    'high definition without tags',
    'hd.mp4',
    `${source('testsrc2=s=1280x36:r=25:d=0.2')} ${H264}`,
    { ...MUTE, size: [1280, 36], seconds: 0.2, frames: 5, matrix: 'bt709' },
  ),
  another(
    'interlaced, top field first',
    'top.ts',
    `${source('testsrc2=s=128x96:r=50:d=2')} -vf interlace=scan=tff -c:v mpeg2video -flags +ildct+ilme -b:v 1M`,
    { ...MUTE, size: [128, 96] },
  ),
  another(
    'interlaced, bottom field first',
    'bottom.mp4',
    `${source('testsrc2=s=128x96:r=50:d=2')} -vf interlace=scan=bff -c:v libx264 -preset ultrafast -x264-params bff=1`,
    { ...MUTE, size: [128, 96] },
  ),
  file(
    'frames that are coded as two fields each',
    'fields.ts',
    async (folder, name) => {
      await writeFile(join(folder, 'fields.h264'), fieldCoded(50))
      await ffmpeg(folder, `-i fields.h264 -c copy ${name}`)
    },
    { ...MUTE, size: [64, 64] },
  ),
  another(
    'one pixel',
    'pixel.mkv',
    `${source('testsrc2=s=64x64:r=25:d=1')} -vf format=rgb24,crop=1:1 -c:v png`,
    {
      ...MUTE,
      size: [16, 16],
      seconds: 1,
      frames: 25,
    },
  ),
  another(
    'odd sides',
    'odd.mkv',
    `${source('testsrc2=s=127x71:r=25:d=2')} -c:v libx264 -preset ultrafast -pix_fmt yuv444p`,
    { ...MUTE, size: [126, 70] },
  ),
  another('a very wide picture', 'wide.mp4', `${source('testsrc2=s=512x36:r=25:d=2')} ${H264}`, {
    ...MUTE,
    size: [512, 36],
  }),
  another(
    'a side above 8,192 pixels',
    'endless.mkv',
    `${source('testsrc2=s=16384x64:r=25:d=0.2')} -c:v mjpeg`,
    { ...MUTE, size: [8192, 32], seconds: 0.2, frames: 5, matrix: 'bt470bg' },
  ),
  file(
    'a side under 16 pixels',
    'line.mkv',
    `${source('testsrc2=s=1920x16:r=25:d=0.2')} -vf crop=1920:2 -c:v ffv1`,
    { ...MUTE, size: [7680, 8], seconds: 0.2, frames: 5, matrix: 'bt709' },
  ),
  another('portrait', 'portrait.mp4', `${source('testsrc2=s=72x128:r=25:d=2')} ${H264}`, {
    ...MUTE,
    size: [72, 128],
  }),
  another('turned by 90 degrees', 'turned.mp4', '-i v.mp4 -c copy -metadata:s:v rotate=90', {
    ...MUTE,
    size: [72, 128],
  }),
  file(
    'turned by 45 degrees',
    'tilted.mp4',
    changed('v.mp4', (bytes) => turned(bytes, -45)),
    {
      ...MUTE,
      warnings: ['corners_cut'],
    },
  ),
  another(
    'turned by 180 degrees',
    'upside-down.mp4',
    '-i v.mp4 -c copy -metadata:s:v rotate=180',
    MUTE,
  ),
  another(
    'oblong pixels',
    'oblong.mp4',
    `${source('testsrc2=s=90x72:r=25:d=2,setsar=16/11')} ${H264}`,
    { ...MUTE, size: [132, 72] },
  ),
  another(
    'cropped by its codec',
    'cropped.mp4',
    '-i v.mp4 -c copy -bsf:v h264_metadata=crop_left=16:crop_right=16',
    { ...MUTE, size: [96, 72] },
  ),
  another(
    'a size that changes',
    'sizes.ts',
    async (folder, name) => {
      await Promise.all([
        ffmpeg(folder, `${PICTURE} -c:v mpeg2video size-a.ts`),
        ffmpeg(folder, `${source('testsrc2=s=64x64:r=25:d=2')} -c:v mpeg2video size-b.ts`),
      ])
      await joined('size-a.ts', 'size-b.ts')(folder, name)
    },
    { ...MUTE, seconds: 4, frames: 100 },
  ),
]

const TRACKS: OddFile[] = [
  another('audio in 5.1', 'surround.mkv', `${PICTURE} ${six(6, '5.1')} ${H264} -c:a ac3`, {
    warnings: ['surround_downmixed'],
  }),
  another('audio in 7.1', 'surround-71.mkv', `${PICTURE} ${six(8, '7.1')} ${H264} -c:a flac`, {
    warnings: ['surround_downmixed'],
  }),
  another(
    'audio at 8 kHz in 8 bit',
    'phone.avi',
    `${PICTURE} -f lavfi -i sine=440:r=8000:d=2 ${H264} -c:a pcm_u8`,
    {},
  ),
  another(
    'audio at 96 kHz',
    'studio.mkv',
    `${PICTURE} -f lavfi -i sine=440:r=96000:d=2 ${H264} -c:a flac`,
    {},
  ),
  another(
    'languages and titles',
    'languages.mkv',
    `${PICTURE} ${AUDIO} ${AUDIO} -map 0 -map 1 -map 2 ${H264} -c:a aac -metadata:s:a:0 language=eng -metadata:s:a:0 title=Original -metadata:s:a:1 language=fre -metadata:s:a:1 title=Commentaire`,
    {
      frames: 51,
      audio: [
        ['en', 'Original'],
        ['fr', 'Commentaire', 'commentary'],
      ],
    },
  ),
  another(
    'a default audio track behind another, and an audio description',
    'purposes.mp4',
    `${PICTURE} ${AUDIO} -map 0 -map 1 -map 1 -map 1 ${H264} -c:a aac -metadata:s:a:0 language=fre -metadata:s:a:1 language=ger -metadata:s:a:2 language=ger -disposition:a:0 0 -disposition:a:1 default -disposition:a:2 visual_impaired`,
    {
      audio: [
        ['de', null],
        ['fr', null],
        ['de', null, 'description'],
      ],
    },
  ),
  another(
    '18 audio tracks',
    'many.mkv',
    `${PICTURE} ${AUDIO} -map 0 ${'-map 1 '.repeat(18)} ${H264} -c:a mp2 -b:a 32k -ac 1`,
    {
      audio: Array.from({ length: 16 }, () => UNKNOWN),
      warnings: ['audio_tracks_dropped'],
    },
  ),
  another(
    'several video tracks: the default one plays',
    'angles.mkv',
    `${PICTURE} ${source('testsrc2=s=64x64:r=25:d=2')} -map 0 -map 1 ${H264} -disposition:v:0 0 -disposition:v:1 default`,
    {
      ...MUTE,
      size: [64, 64],
      warnings: ['video_tracks_dropped'],
    },
  ),
  another(
    'a cover picture beside the video',
    'art.mp4',
    `-i v.mp4 ${source('color=red:s=60x60:d=0.04')} -map 0 -map 1 -c:v:0 copy -c:v:1 mjpeg -disposition:v:1 attached_pic`,
    { ...MUTE, warnings: ['attachments_dropped'] },
  ),
  another('a time code', 'timecode.mov', '-i v.mp4 -c copy -timecode 01:00:00:00', {
    ...MUTE,
    warnings: ['data_tracks_dropped'],
  }),
  another(
    'an attached font',
    'font.mkv',
    '-i v.mp4 -c copy -attach words.srt -metadata:s:t mimetype=application/x-truetype-font',
    { ...MUTE, warnings: ['attachments_dropped'] },
  ),
  another('chapters', 'chapters.mp4', '-i va.mp4 -i chapters.txt -map 0 -map_metadata 1 -c copy', {
    chapters: ['0-1 Opening', '1-2 The end'],
  }),
  another(
    'two subtitle tracks of one language',
    'repeated.mp4',
    '-i va.mp4 -i words.srt -map 0 -map 1 -map 1 -c copy -c:s mov_text -metadata:s:s:0 language=fre -metadata:s:s:1 language=fre',
    { captions: ['fr français: Good <i>evening</i>'], warnings: ['subtitles_dropped'] },
  ),
  another(
    'subtitles in text',
    'subtitles.mkv',
    '-i va.mp4 -i words.srt -map 0 -map 1 -c copy -c:s srt -metadata:s:s:0 language=ger',
    { frames: 51, captions: ['de Deutsch: Good <i>evening</i>'] },
  ),
  ...[
    ['of a DVD', 'dvd.mkv', 'dvdsub', 51] as const,
    ['of television', 'television.ts', 'dvbsub', 50] as const,
    ['of a Blu-ray disc', 'disc.mkv', 'copy', 51] as const,
  ].map(([kind, name, codec, frames]) =>
    another(
      `subtitles ${kind}, which are pictures`,
      name,
      async (folder) => {
        await writeFile(join(folder, `${name}.sup`), pictureSubtitles())
        const inputs = `-i va.mp4 -i ${name}.sup -map 0 -map 1`
        await ffmpeg(folder, `${inputs} -c copy -c:s ${codec} ${name}`)
      },
      { frames, warnings: ['subtitles_dropped'] },
    ),
  ),
  another(
    'subtitles of MP4',
    'subtitles.mp4',
    '-i va.mp4 -i words.srt -map 0 -map 1 -c copy -c:s mov_text -metadata:s:s:0 language=spa',
    { captions: ['es español: Good <i>evening</i>'] },
  ),
]

/** Files as integrators send them, at most 128 pixels wide where the kind of file allows it. */
export const ODD_FILES: OddFile[] = [...UNREADABLE, ...DAMAGED, ...TIMES, ...PICTURES, ...TRACKS]
