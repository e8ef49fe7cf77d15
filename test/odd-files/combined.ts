import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { H264, PICTURE, SOUND, ffmpeg } from './bases.ts'
import { pictureSubtitles } from './picture-subtitles.ts'
import type { OddFile } from './table.ts'

const SURROUND = `-f lavfi -i aevalsrc=${Array.from({ length: 6 }, () => '0.9*sin(880*t)').join('|')}:c=5.1:d=2`
const COVER = '-f lavfi -i color=red:s=60x60:d=0.04'
const SMALL = '-f lavfi -i testsrc2=s=64x64:r=25:d=2'

async function makeTracks(folder: string, name: string): Promise<void> {
  await writeFile(join(folder, `${name}.sup`), pictureSubtitles())
  const inputs = `-i v.mp4 ${SOUND} ${SURROUND} -i words.srt -i ${name}.sup -i chapters.txt`
  const tracks = '-map 0 -map 1 -map 2 -map 3 -map 4 -map 4 -map 4 -map_metadata 5'
  const codecs = '-c:v copy -c:a ac3 -c:s:0 srt -c:s:1 copy -c:s:2 dvdsub -c:s:3 dvbsub'
  const first = '-metadata:s:a:0 language=eng -metadata:s:a:0 title=Original'
  const second = '-metadata:s:a:1 language=fre -metadata:s:a:1 title=Commentaire'
  const font = '-attach words.srt -metadata:s:t mimetype=application/x-truetype-font'
  const names = `${first} ${second} -metadata:s:s:0 language=ger`
  await ffmpeg(folder, `${inputs} ${tracks} ${codecs} ${names} ${font} ${name}`)
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
    title: 'languages, titles, 5.1, chapters, a font, and subtitles in text and in pictures',
    name: 'tracks.mkv',
    make: makeTracks,
    end: {
      audio: [
        ['en', 'Original'],
        ['fr', 'Commentaire'],
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
    title: 'MPEG-4 with packed frames, and sound at 8 kHz in 8 bit',
    name: 'camera.avi',
    make: `${PICTURE} -f lavfi -i sine=440:r=8000:d=2 -c:v mpeg4 -bf 2 -c:a pcm_u8`,
    end: { frames: 51 },
  },
  {
    title: 'cropped by its codec, and turned by 90 degrees',
    name: 'cropped-turned.mp4',
    make: '-i v.mp4 -c copy -bsf:v h264_metadata=crop_left=16:crop_right=16 -metadata:s:v rotate=90',
    end: { audio: [], size: [72, 96] },
  },
]
