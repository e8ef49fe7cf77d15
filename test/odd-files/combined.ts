import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { AUDIO, BEEPS, ffmpeg, H264, PICTURE } from './bases.ts'
import { pictureSubtitles } from './picture-subtitles.ts'
import { BT2020, destroyedPackets, FOUR_BEEPS, joined, X265, type OddFile } from './table.ts'

const SURROUND = `-f lavfi -i aevalsrc=${Array.from({ length: 6 }, () => '0.9*sin(880*t)').join('|')}:c=5.1:d=2`
const COVER = '-f lavfi -i color=red:s=60x60:d=0.04'
const SMALL = '-f lavfi -i testsrc2=s=64x64:r=25:d=2'

async function makeTracks(folder: string, name: string): Promise<void> {
  await writeFile(join(folder, `${name}.sup`), pictureSubtitles())
  const inputs = `-i v.mp4 ${SURROUND} ${AUDIO} -i words.srt -i ${name}.sup -i chapters.txt`
  const tracks = '-map 0 -map 1 -map 2 -map 3 -map 4 -map 4 -map 4 -map_metadata 5'
  const codecs = '-c:v copy -c:a ac3 -c:s:0 srt -c:s:1 copy -c:s:2 dvdsub -c:s:3 dvbsub'
  const first = '-metadata:s:a:0 language=fre -metadata:s:a:0 title=Commentaire'
  const second =
    '-metadata:s:a:1 language=eng -metadata:s:a:1 title=Original -disposition:a:1 default'
  const font = '-attach words.srt -metadata:s:t mimetype=application/x-truetype-font'
  const names = `${first} ${second} -metadata:s:s:0 language=ger`
  await ffmpeg(folder, `${inputs} ${tracks} ${codecs} ${names} ${font} ${name}`)
}

/** A pipe cannot be sought in, so its Matroska gets neither an index nor a length. */
async function makeLive(folder: string, name: string): Promise<void> {
  const late = '-itsoffset 100 -i va.mp4 -copyts -c copy -f matroska -'
  const { stdout } = await execa('ffmpeg', late.split(' '), { cwd: folder, encoding: 'buffer' })
  await writeFile(join(folder, name), stdout)
}

/** The angle of a picture can be set only where the picture is not encoded. */
async function makeTurned(folder: string, name: string): Promise<void> {
  const wide = `${X265} -pix_fmt yuv420p10le ${BT2020} -color_trc bt2020-10`
  const cropped = '-bsf:v hevc_metadata=crop_left=16:crop_right=16'
  await ffmpeg(folder, `${PICTURE} ${wide} ${cropped} wide-cropped.mp4`)
  await ffmpeg(folder, `-i wide-cropped.mp4 -c copy -metadata:s:v rotate=90 ${name}`)
}

async function makeBroken(folder: string, name: string): Promise<void> {
  await destroyedPackets('beeps.mp4', 'a', [30, 50])(folder, 'broken-sound.mp4')
  await destroyedPackets('broken-sound.mp4', 'v', [44, 49])(folder, name)
}

async function makeJump(folder: string, name: string): Promise<void> {
  const second = `${SMALL} ${BEEPS} ${H264} -bf 2 -g 250 -c:a aac -output_ts_offset 4000`
  await ffmpeg(folder, `${second} smaller.ts`)
  await joined('beeps.ts', 'smaller.ts')(folder, name)
}

const ANGLES = [
  `-i v.mp4 ${SMALL} ${COVER} -i words.srt -map 0 -map 1 -map 2 -map 3 -map 3`,
  `${H264} -c:v:0 copy -c:v:2 mjpeg -c:s mov_text -timecode 01:00:00:00`,
  '-disposition:v:0 0 -disposition:v:1 default -disposition:v:2 attached_pic',
  '-metadata:s:s:0 language=fre -metadata:s:s:1 language=fre',
].join(' ')

/** Files that are odd in several ways at once, so that `npm test` sees each way in fewer files. */
export const COMBINED: OddFile[] = [
  {
    title:
      'languages, titles, a commentary that comes first, 5.1, chapters, a font, and subtitles in text and in pictures',
    name: 'tracks.mkv',
    make: makeTracks,
    end: {
      audio: [
        ['en', 'Original'],
        ['fr', 'Commentaire', 'commentary'],
      ],
      chapters: ['0-1 Opening', '1-2 The end'],
      captions: ['de Deutsch: Good <i>evening</i>'],
      warnings: ['surround_downmixed', 'attachments_dropped', 'subtitles_dropped'],
    },
  },
  {
    title:
      'several video tracks, a cover picture, a time code, and two subtitle tracks of one language',
    name: 'angles.mp4',
    make: ANGLES,
    end: {
      audio: [],
      size: [64, 64],
      captions: ['fr français: Good <i>evening</i>'],
      warnings: [
        'video_tracks_dropped',
        'data_tracks_dropped',
        'attachments_dropped',
        'subtitles_dropped',
      ],
    },
  },
  {
    title: 'MPEG-4 with packed frames, and audio at 8 kHz in 8 bit',
    name: 'camera.avi',
    make: `${PICTURE} -f lavfi -i sine=440:r=8000:d=2 -c:v mpeg4 -bf 2 -c:a pcm_u8`,
    end: { frames: 51 },
  },
  {
    title: 'a wide gamut in SDR, cropped by its codec, and turned by 90 degrees',
    name: 'wide-cropped-turned.mp4',
    make: makeTurned,
    end: { audio: [], size: [72, 96], matrix: 'bt709' },
  },
  {
    title: 'a Matroska file that starts late, without an index, and without its length',
    name: 'late-live.mkv',
    make: makeLive,
    end: { frames: 51 },
  },
  {
    title: 'odd sides, and sparse frames',
    name: 'odd-sparse.mkv',
    make: `-f lavfi -i testsrc2=s=127x71:r=25:d=2 -vf select='eq(n,0)+eq(n,20)+eq(n,49)' -vsync vfr -c:v libx264 -preset ultrafast -pix_fmt yuv444p`,
    end: { audio: [], size: [126, 70] },
  },
  {
    title: 'a picture that changes each ten seconds, and audio that ends as a part of it does',
    name: 'slow-stills.mp4',
    make: `-f lavfi -i testsrc2=s=128x72:r=1/10:d=40 -f lavfi -i sine=440:d=40 ${H264} -c:a aac`,
    end: { seconds: 40, frames: 4 },
  },
  {
    title: 'a transport stream whose size changes at a jump in time',
    name: 'jump-size.ts',
    make: makeJump,
    end: { seconds: 4, frames: 100, sound: FOUR_BEEPS },
  },
  {
    title: 'one frame of one pixel',
    name: 'one-pixel.mkv',
    make: '-f lavfi -i testsrc2=s=64x64:r=25:d=1 -vf format=rgb24,crop=1:1 -c:v png -frames:v 1',
    end: { audio: [], size: [16, 16], seconds: 0.04, frames: 1 },
  },
  {
    title: 'AV1 that begins after its audio',
    name: 'late-av1.mkv',
    make: `-itsoffset 0.8 ${PICTURE} ${AUDIO} -c:v libsvtav1 -preset 12 -c:a aac`,
    end: { seconds: 2.8, frames: 71 },
  },
  {
    title: 'HDR with its transfer function alone, and audio that begins late',
    name: 'late-hdr.mp4',
    make: `${PICTURE} -itsoffset 0.8 ${AUDIO} ${X265} -pix_fmt yuv420p10le -color_trc smpte2084 -c:a aac`,
    end: { seconds: 2.8, frames: 50, matrix: 'bt709', warnings: ['hdr_converted'] },
  },
  {
    title: 'HLG with 120 frames per second',
    name: 'fast-hlg.mp4',
    make: `-f lavfi -i testsrc2=s=128x72:r=120:d=0.5 ${X265} -pix_fmt yuv420p10le ${BT2020} -color_trc arib-std-b67`,
    end: {
      audio: [],
      seconds: 0.5,
      frames: 30,
      matrix: 'bt709',
      warnings: ['hdr_converted', 'frame_rate_reduced'],
    },
  },
  {
    title: 'a raw stream in high definition without tags, interlaced with the bottom field first',
    name: 'hd-bottom.h264',
    make: '-f lavfi -i testsrc2=s=1280x64:r=50:d=0.4 -vf interlace=scan=bff -c:v libx264 -preset ultrafast -pix_fmt yuv420p -x264-params bff=1',
    end: { audio: [], size: [1280, 64], seconds: 0.4, frames: 10, matrix: 'bt709' },
  },
  {
    title: 'ten percent of its frames destroyed, and a part of its audio',
    name: 'broken.mp4',
    make: makeBroken,
    end: {
      sound: [
        [0, 0.5],
        [1.16, 1.5],
      ],
      warnings: ['picture_damaged', 'sound_damaged'],
    },
  },
]
