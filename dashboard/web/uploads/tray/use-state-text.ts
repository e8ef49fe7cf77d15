import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { useFormats, type Formats } from '../../parts/text/formats.ts'
import type { UploadsWords } from '../locales/en.ts'
import type { UploadItem } from '../queue/upload-item.ts'
import { useUploadsWords } from '../words.ts'

/** How much of a file is sent, of 1, in whole percent: all of it only at its end. */
export const shareOf = ({
  sentBytes,
  sizeBytes,
}: Pick<UploadItem, 'sentBytes' | 'sizeBytes'>): number =>
  Math.floor((sentBytes / Math.max(sizeBytes, 1)) * 100) / 100

/** The same of all files that can still arrive, or have. */
export function shareOfAll(items: readonly UploadItem[]): number {
  const counted = items.filter(({ state }) => state !== 'failed')
  const all = counted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sent = counted.reduce((sum, { sentBytes }) => sum + sentBytes, 0)
  return shareOf({ sentBytes: sent, sizeBytes: all })
}

/** What an upload that is not done does, or why it does not, and what to say of another file. */
export function useStateText(item: UploadItem): { text: string; otherFile: string } {
  const words = useUploadsWords()
  const { progress } = useWords()
  const formats = useFormats()
  const { bytes } = formats
  const size = bytes(item.sizeBytes)
  const otherFile = interpolate(words.otherFile, { name: item.name, size })
  return { text: textOf(item, words, { ...formats, left: progress.left }), otherFile }
}

/** Why an upload has failed. */
export function failureText(code: string | null, words: UploadsWords): string {
  const texts = new Map<string, string>(Object.entries(words.failures))
  return texts.get(code ?? '') ?? interpolate(words.failed, { code: code ?? '-' })
}

type Parts = Formats & { left: string }

function textOf(item: UploadItem, words: UploadsWords, parts: Parts): string {
  const { state, delay, failure, file, sentBytes, sizeBytes } = item
  const size = parts.bytes(sizeBytes)
  if (state === 'waiting') return `${words.states.waiting} · ${size}`
  if (state === 'failed') return failureText(failure, words)
  if (state === 'paused') {
    const percent = parts.percent(shareOf(item))
    const { paused, choose, chooseFirst } = words.states
    const text = file === null ? choose : paused
    return file === null && item.uploadId === null ? chooseFirst : interpolate(text, { percent })
  }
  if (delay !== null) return words.delays[delay]
  if (sentBytes === 0) return `${words.states.starting} · ${size}`
  return sentBytes >= sizeBytes ? words.states.finishing : runningText(item, words, parts)
}

/** Such as `62 % · 12 MB/s · 3:10 left`. */
function runningText(item: UploadItem, words: UploadsWords, parts: Parts): string {
  const { bytesPerSecond, sentBytes, sizeBytes } = item
  const percent = parts.percent(shareOf(item))
  if (bytesPerSecond === null || bytesPerSecond < 1) return percent
  const speed = interpolate(words.speed, { size: parts.bytes(bytesPerSecond) })
  const time = parts.duration((sizeBytes - sentBytes) / bytesPerSecond)
  return [percent, speed, interpolate(parts.left, { time })].join(' · ')
}
