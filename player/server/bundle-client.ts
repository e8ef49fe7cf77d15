import { join } from 'node:path'
import { build } from 'esbuild'
import type { BuildOptions, BuildResult } from 'esbuild'
import { LANGUAGES } from '../language.ts'
import type { Language } from '../language.ts'
import { BROWSER_BUILD } from './browser-build.ts'

/** The client as modules, each under an address that holds the hash of its content. */
export interface ClientBundle {
  mainUrl: string
  controlsUrl: string
  wordsUrls: Record<Language, string>
  files: { path: string; body: Uint8Array }[]
}

/**
 * Bundles the client in `folder`: its main module, whole, since each further request would hold up
 * the first frame; the controls; and a module of words for each language.
 */
export async function bundleClient(folder: string): Promise<ClientBundle> {
  const words = LANGUAGES.map((language) => `words/${language}.ts`)
  const results = await Promise.all([
    bundle(folder, { entryPoints: ['main.ts'] }),
    bundle(folder, { entryPoints: ['controls/controls.ts', ...words], splitting: true }),
  ])
  const outputs = Object.assign({}, ...results.map(({ metafile }) => metafile.outputs)) as Outputs
  const urlOf = (entry: string): string => addressOf(outputOf(outputs, entry))
  return {
    mainUrl: urlOf('main.ts'),
    controlsUrl: urlOf('controls/controls.ts'),
    wordsUrls: Object.fromEntries(
      LANGUAGES.map((language) => [language, urlOf(`words/${language}.ts`)]),
    ) as Record<Language, string>,
    files: results.flatMap(({ outputFiles }) =>
      outputFiles.map(({ path, contents }) => ({ path: addressOf(path), body: contents })),
    ),
  }
}

const OPTIONS = {
  ...BROWSER_BUILD,
  entryNames: '[name]-[hash]',
  chunkNames: 'shared-[hash]',
  metafile: true,
  format: 'esm',
} as const

const bundle = (
  folder: string,
  options: Pick<BuildOptions, 'entryPoints' | 'splitting'>,
): Promise<BuildResult<typeof OPTIONS>> =>
  build({ ...OPTIONS, ...options, absWorkingDir: folder, outdir: join(folder, 'out') })

type Outputs = BuildResult<typeof OPTIONS>['metafile']['outputs']

function outputOf(outputs: Outputs, entry: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  if (!found) throw new Error(`the player client has no module ${entry}`)
  return found[0]
}

const addressOf = (path: string): string => `/assets/${path.split(/[\\/]/).at(-1) ?? ''}`
