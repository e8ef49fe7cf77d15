import { readdir } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { captionLanguage } from '../../../domain/moving/parse-line.ts'
import { isNamedVideo, isOfSystem } from '../../../domain/uploads/video-names.ts'
import { titleFromFilename } from '../../../domain/videos/video-title.ts'
import { compareNames } from '../../compare-names.ts'
import { CliError } from '../../errors.ts'

/** A video of a plain folder, as a line of a manifest has it. */
interface FolderVideo {
  path: string
  title: string
  folder?: string
  captions?: { path: string; language: string; label: string }[]
  poster?: string
  /** A file with a list of chapters. */
  chaptersPath: string | undefined
}

/** What belongs to a video by its name: `NAME.LANGUAGE.vtt`, `NAME.chapters.json` and `NAME.jpg`, by the path without that end. */
interface Companions {
  captions: Map<string, { path: string; language: string }[]>
  chapters: Map<string, string>
  posters: Map<string, string>
}

const CAPTION = /^(.+)\.([A-Za-z][A-Za-z0-9-]{1,34})\.vtt$/i
const CHAPTERS = /^(.+)\.chapters\.json$/i
const POSTER = /^(.+)\.(?:jpe?g|png|webp)$/i

/**
 * Returns the videos of a folder and its subfolders, sorted by name with 2 before 10, each with the files beside it that have its name. Throws a CliError if
 * there are none. Links are left out.
 */
export async function readFolder(base: string): Promise<FolderVideo[]> {
  const entries = await readdir(base, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !isOfSystem(entry.name))
    .map(({ parentPath, name }) => relative(base, join(parentPath, name)).replaceAll(sep, '/'))
    .toSorted(compareNames)
  const companions = companionsOf(paths)
  const videos = paths.filter((path) => isNamedVideo(basename(path)))
  if (videos.length === 0) throw new CliError(`There is no video in ${base}.`)
  return videos.map((path) => videoOf(path, companions))
}

/** Finds among paths what belongs to videos. */
export function companionsOf(paths: readonly string[]): Companions {
  const companions: Companions = { captions: new Map(), chapters: new Map(), posters: new Map() }
  for (const path of paths) {
    const [, stem = '', tag = ''] = CAPTION.exec(path) ?? []
    const language = captionLanguage(tag)
    if (language !== null) {
      const others = companions.captions.get(stem) ?? []
      companions.captions.set(stem, [...others, { path, language }])
    }
    const [, chaptersOf] = CHAPTERS.exec(path) ?? []
    if (chaptersOf !== undefined) companions.chapters.set(chaptersOf, path)
    const [, posterOf] = POSTER.exec(path) ?? []
    if (posterOf !== undefined) companions.posters.set(posterOf, path)
  }
  return companions
}

/** The paths of what belongs to a video. */
export function besideVideo(video: string, { captions, chapters, posters }: Companions): string[] {
  const stem = stemOf(video)
  const [chaptersPath, poster] = [chapters.get(stem), posters.get(stem)]
  return [
    ...(captions.get(stem) ?? []).map(({ path }) => path),
    ...(chaptersPath === undefined ? [] : [chaptersPath]),
    ...(poster === undefined ? [] : [poster]),
  ]
}

const stemOf = (path: string): string => path.replace(/\.[^./]+$/, '')

function videoOf(path: string, { captions, chapters, posters }: Companions): FolderVideo {
  const stem = stemOf(path)
  const folder = dirname(path)
  const poster = posters.get(stem)
  const ofVideo = captions.get(stem)?.map((one) => ({ ...one, label: labelOf(one.language) }))
  return {
    path,
    title: titleFromFilename(path),
    ...(folder !== '.' && { folder }),
    ...(ofVideo && { captions: ofVideo }),
    ...(poster !== undefined && { poster }),
    chaptersPath: chapters.get(stem),
  }
}

/** The name of a language in that language. */
function labelOf(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
