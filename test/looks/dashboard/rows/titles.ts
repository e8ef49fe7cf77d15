import type { VideoStatus } from '../../../../domain/videos/video-state.ts'
import { DAY, HOUR } from './filled-account.ts'

export const FOLDERS = ['Course: Light and colour', 'Press', 'دروس الفيزياء', 'Internal'] as const

/** A video of the account that has many. */
export interface ListedVideo {
  title: string
  /** `ready` unless given. */
  status?: VideoStatus
  /** Age in minutes. */
  age: number
  seconds?: number
  folder?: (typeof FOLDERS)[number]
  error?: readonly [code: string, message: string]
}

const lesson = (number: number, title: string): ListedVideo => ({
  title: `Lesson ${number}: ${title}`,
  age: (34 - 2 * number) * DAY,
  seconds: 480 + 61 * number,
  folder: 'Course: Light and colour',
})

/** From the newest to the oldest. */
export const MANY_VIDEOS: readonly ListedVideo[] = [
  { title: 'IMG_2041.MOV', status: 'queued', age: 2 },
  {
    title: 'Staff training: how we record, cut and publish a lecture in a single afternoon',
    status: 'processing',
    age: 14,
    seconds: 3_914,
    folder: 'Internal',
  },
  { title: 'Opening night', status: 'playable', age: 41, seconds: 6_180, folder: 'Press' },
  {
    title: 'Press conference, 12 October',
    status: 'failed',
    age: 3 * HOUR,
    folder: 'Press',
    error: ['source_unreachable', 'The link responded with the status 403 three times.'],
  },
  { title: 'Big Buck Bunny', age: 5 * HOUR, seconds: 596, folder: 'Press' },
  {
    title: 'screen-recording-2026-10-14_final_v3(2).mp4',
    status: 'failed',
    age: 20 * HOUR,
    error: ['no_video_stream', 'The file has no video track.'],
  },
  { title: 'Q&A', age: DAY, seconds: 47 },
  { title: 'لماذا يظهر قوس قزح بعد المطر؟', age: 2 * DAY, seconds: 742, folder: 'دروس الفيزياء' },
  { title: 'الدرس الأول: الضوء والظل', age: 3 * DAY, seconds: 1_265, folder: 'دروس الفيزياء' },
  { title: 'Interview with the director', age: 4 * DAY, seconds: 1_804, folder: 'Press' },
  { title: 'Werkstattgespräch über Farbwahrnehmung und Beleuchtung', age: 6 * DAY, seconds: 2_711 },
  { title: 'The yawn', age: 7 * DAY, seconds: 12 },
  lesson(12, 'Colour and the eye'),
  lesson(11, 'Why the sky is blue'),
  lesson(10, 'Polarised light'),
  lesson(9, 'Lenses and the pictures they make'),
  lesson(8, 'Mirrors'),
  lesson(7, 'How a prism takes white light apart, and how another one puts it together again'),
  lesson(6, 'The speed of light'),
  lesson(5, 'Refraction'),
  lesson(4, 'Shadows'),
  lesson(3, 'Light and colour'),
  lesson(2, 'Where light comes from'),
  lesson(1, 'What we will learn'),
]
