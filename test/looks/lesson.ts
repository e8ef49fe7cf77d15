import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import type { EmbeddedPlayerFixture } from '../browser/embedded-player.ts'
import { ingestVideo } from '../fixtures/ingest-video.ts'

const SECONDS = 20
/** Seconds of each line of the captions. */
const LINE_SECONDS = 2

const LINES = {
  en: [
    'Light bends when it enters water.',
    'How far depends on its colour.',
    'Red bends least, violet most.',
    'That is why we see a rainbow.',
    'The drops are tiny prisms.',
  ],
  de: [
    'Licht bricht sich im Wasser.',
    'Wie weit, hängt von der Farbe ab.',
    'Rot am wenigsten, Violett am meisten.',
    'Deshalb sehen wir einen Regenbogen.',
    'Die Tropfen sind kleine Prismen.',
  ],
}

/** Ingests a quiet moving picture with captions, chapters and moments. Resolves to the id of the video. */
export async function ingestLesson(fixture: EmbeddedPlayerFixture): Promise<string> {
  await mkdir(fixture.target.workDir, { recursive: true })
  const path = join(fixture.target.workDir, 'lesson.mp4')
  await execa(
    'ffmpeg',
    [
      ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
      [
        '-f',
        'lavfi',
        '-i',
        `gradients=s=1280x720:r=12:d=${SECONDS}:speed=0.02:seed=4:n=4:c0=#0b3954:c1=#087e8b:c2=#bfd7ea:c3=#ff5a5f`,
      ],
      ['-f', 'lavfi', '-i', `sine=220:d=${SECONDS}:r=48000`],
      ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path],
    ].flat(),
  )
  const videoId = await ingestVideo(path, { ...fixture.target, title: 'Why rainbows have colours' })
  await fixture.annotate(videoId, {
    captions: { en: captionsOf(LINES.en), de: captionsOf(LINES.de) },
    chapters: [
      { title: 'Light in water', start: 0, end: 8 },
      { title: 'Why each colour leaves the drop at an angle of its own', start: 8, end: 15 },
      { title: 'The rainbow', start: 15, end: SECONDS },
    ],
    moments: [
      { label: 'The prism', timestamp: 5 },
      { label: 'The drop', timestamp: 12 },
      { label: 'The angle', timestamp: 13 },
    ],
  })
  return videoId
}

/** The fixture begins with a cue of its own, which gets no text. */
const captionsOf = (lines: readonly string[]): string =>
  Array.from({ length: SECONDS / LINE_SECONDS }, (_, index) => {
    const [from, to] = [index, index + 1].map((at) => String(at * LINE_SECONDS).padStart(2, '0'))
    return `\n00:${from}.000 --> 00:${to}.000\n${lines[index % lines.length]}\n`
  }).join('')
