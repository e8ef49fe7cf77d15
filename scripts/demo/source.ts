import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The video that a demo ingests. */
export interface DemoSource {
  path: string
  /** Of the video; undefined for a chosen file, whose title is its name. */
  title?: string
  /** Who made the video, as its licence asks for; undefined for a chosen file. */
  attribution?: string
}

/** Big Buck Bunny: 5 s of 720p with surround audio. */
const BIG_BUCK_BUNNY: DemoSource = {
  path: fileURLToPath(new URL('./big-buck-bunny.mp4', import.meta.url)),
  title: 'Big Buck Bunny',
  attribution: 'Big Buck Bunny, © Blender Foundation, CC BY 3.0, peach.blender.org',
}

/** Returns the chosen file, or Big Buck Bunny. Throws if the file does not exist. */
export async function findSource(file: string | undefined): Promise<DemoSource> {
  if (file === undefined) return BIG_BUCK_BUNNY
  const facts = await stat(file).catch(() => null)
  if (!facts?.isFile()) throw new Error(`There is no file ${file}`)
  return { path: resolve(file) }
}
