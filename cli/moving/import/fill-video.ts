import { readFile } from 'node:fs/promises'
import type { ManifestCaption, ManifestChapter } from '../../../domain/moving/manifest.ts'
import { chaptersWithin } from '../../../domain/videos/chapters.ts'
import { ReelgateError, type Chapter } from '../../../sdk/src/index.ts'
import { findInside } from '../inside-folder.ts'
import type { HeldVideo, NamedLine } from './hold-video.ts'
import type { Step } from './journal.ts'
import { LineFailure, type ImportRun } from './run.ts'
import { setPoster } from './set-poster.ts'

/**
 * Writes what a line has beside its file, as far as the journal does not know it done. A video that was there before keeps what it has, and
 * gets what it lacks. Captions and chapters that its file itself brings appear when a video is ready; then those that the line does not name are
 * deleted, and the poster is set.
 */
export async function fillVideo(run: ImportRun, one: NamedLine, held: HeldVideo): Promise<void> {
  const { line } = one
  await step(run, one, 'captions', async () => {
    if (line.captions !== null) await writeCaptions(run, one, held, !held.isOurs)
  })
  await step(run, one, 'chapters', async () => {
    if (line.chapters !== null) await writeChapters(run, one, held)
  })
  const isReady = run.server.statusOf(held.videoId) === 'ready'
  if (isReady || !needsReady(one)) await settleVideo(run, one, held)
}

const needsReady = ({ line }: NamedLine): boolean =>
  line.captions !== null || line.chapters !== null || line.poster !== null

/** Does what can only be done with a video that is ready, once. */
export const settleVideo = (run: ImportRun, one: NamedLine, held: HeldVideo): Promise<void> =>
  step(run, one, 'settled', async () => {
    if (!held.isOurs || !needsReady(one)) return
    if (one.line.captions !== null) await deleteOtherCaptions(run, one, held)
    if (one.line.chapters !== null) await replaceChapters(run, one, held)
    if (one.line.poster !== null) await setPoster(run, held.videoId, one.line.poster)
  })

async function step(
  { journal }: ImportRun,
  { externalId }: NamedLine,
  name: Step,
  work: () => Promise<void>,
): Promise<void> {
  const entry = journal.entry(externalId)
  if (!entry) throw new Error('a video has no entry in the journal')
  if (entry.done.has(name)) return
  await work()
  await journal.noteEntry(externalId, { ...entry, done: new Set([...entry.done, name]) })
}

async function writeCaptions(
  run: ImportRun,
  { line }: NamedLine,
  { videoId }: HeldVideo,
  onlyMissing: boolean,
): Promise<void> {
  const { reelgate, patiently, signal } = run
  const present = onlyMissing ? await languagesOf(run, videoId) : []
  for (const { language, label, ...caption } of line.captions ?? []) {
    if (present.includes(language)) continue
    const content = await readCaption(run, caption)
    const body = { language_code: language, label, content }
    await patiently(() => reelgate.captions.create(videoId, body, { signal }))
  }
}

async function languagesOf(
  { reelgate, patiently, signal }: ImportRun,
  videoId: string,
): Promise<string[]> {
  const { data } = await patiently(() => reelgate.captions.list(videoId, { signal }))
  return data.map((caption) => caption.language_code)
}

async function readCaption(
  { base }: ImportRun,
  { path }: Pick<ManifestCaption, 'path'>,
): Promise<string> {
  const file = await findInside(base, path)
  if (typeof file === 'string') throw new LineFailure('file_unreadable', `${path} ${file}.`)
  return readFile(file.path, 'utf8')
}

async function deleteOtherCaptions(
  run: ImportRun,
  { line }: NamedLine,
  { videoId }: HeldVideo,
): Promise<void> {
  const { reelgate, patiently, signal } = run
  const wanted = (line.captions ?? []).map(({ language }) => language)
  for (const language of await languagesOf(run, videoId))
    if (!wanted.includes(language))
      await patiently(() => reelgate.captions.delete(videoId, language, { signal })).catch(
        unless(GONE),
      )
}

/** A request of a killed run may still run, and change what was read a moment ago. So may another run. */
const GONE: readonly string[] = ['caption_not_found', 'chapter_not_found']

/** Throws an error that has none of these codes. */
const unless =
  (codes: readonly string[]) =>
  (error: unknown): void => {
    if (!(error instanceof ReelgateError) || !codes.includes(error.code)) throw error
  }

/** Adds the chapters to a video that has none, or has some of them because a run was killed. */
async function writeChapters(run: ImportRun, one: NamedLine, held: HeldVideo): Promise<void> {
  try {
    await addChapters(run, one, held)
  } catch (error) {
    if (!held.isOurs) throw error
    unless(IN_THE_WAY)(error)
    await replaceChapters(run, one, held)
  }
}

/** The video is ready already: it has the chapters of its file, or its length is known. */
const IN_THE_WAY: readonly string[] = ['chapter_overlap', 'invalid_chapter_range']

async function addChapters(
  run: ImportRun,
  { line }: NamedLine,
  { videoId, isOurs }: HeldVideo,
): Promise<void> {
  const present = await chaptersOf(run, videoId)
  const all = line.chapters ?? []
  const keys = all.map(keyOf)
  // Others are those of its owner.
  if (!isOurs && present.some((chapter) => !keys.includes(keyOf(chapter)))) return
  const starts = present.map(({ start }) => start)
  for (const chapter of all)
    if (!starts.includes(chapter.start)) await addChapter(run, videoId, chapter)
}

async function chaptersOf(
  { reelgate, patiently, signal }: ImportRun,
  videoId: string,
): Promise<Chapter[]> {
  return (await patiently(() => reelgate.chapters.list(videoId, { signal }))).data
}

const keyOf = ({ title, start, end }: ManifestChapter): string =>
  JSON.stringify([start, end, title])

/** Adds a chapter, unless another request has added the same one meanwhile. */
async function addChapter(
  run: ImportRun,
  videoId: string,
  chapter: ManifestChapter,
): Promise<void> {
  const { reelgate, patiently, signal } = run
  try {
    await patiently(() => reelgate.chapters.create(videoId, chapter, { signal }))
  } catch (error) {
    unless(['chapter_overlap'])(error)
    const present = await chaptersOf(run, videoId)
    if (!present.some((one) => keyOf(one) === keyOf(chapter))) throw error
  }
}

/** Makes the chapters of a video those of the line, as far as the video is long. */
async function replaceChapters(
  run: ImportRun,
  { line }: NamedLine,
  { videoId }: HeldVideo,
): Promise<void> {
  const { reelgate, patiently, signal } = run
  const { duration } = await patiently(() => reelgate.videos.getStatus(videoId, { signal }))
  const all = line.chapters ?? []
  const wanted = duration === null ? all : chaptersWithin(all, Math.round(duration * 1_000))
  const present = await chaptersOf(run, videoId)
  const wantedKeys = wanted.map(keyOf)
  const presentKeys = present.map(keyOf)
  for (const chapter of present)
    if (!wantedKeys.includes(keyOf(chapter)))
      await patiently(() => reelgate.chapters.delete(videoId, chapter.id, { signal })).catch(
        unless(GONE),
      )
  for (const chapter of wanted)
    if (!presentKeys.includes(keyOf(chapter))) await addChapter(run, videoId, chapter)
}
