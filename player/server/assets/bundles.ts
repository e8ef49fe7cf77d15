import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions, type BuildResult } from 'esbuild'
import { LANGUAGES, type Language } from '../../../domain/language.ts'
import { singleChunk, staticImports } from '../../../http/pages/single-chunk.ts'
import { paths } from '../paths.ts'
import { noSheetOfKeys, stylesAsTexts } from './bundle-plugins.ts'

/** In memory, for every browser that plays protected video. */
const OPTIONS = {
  bundle: true,
  minify: true,
  target: 'es2022',
  write: false,
  legalComments: 'none',
  logLevel: 'silent',
} as const

const MODULE_OPTIONS = {
  ...OPTIONS,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  metafile: true,
  format: 'esm',
} as const

const CONTROLS = 'controls/controls.ts'

/** The client as modules. Each path contains the hash of its content. */
export interface ClientBundle {
  mainUrl: string
  /** The module of the controls, then those that it imports. */
  controlsUrls: string[]
  wordsUrls: Record<Language, string>
  /** For pages of Multi-DRM videos only. */
  drmUrl: string
  drmWordsUrls: Record<Language, string>
  /** For pages of videos that are being prepared only. */
  preparingUrl: string
  /** For the pages that say why a video does not play. */
  copyDetailsUrl: string
  files: { path: string; body: Uint8Array }[]
}

/**
 * Bundles the client in `folder`. The main module is a single file, because each further request would
 * delay the first frame. The controls, the words of each language, DRM, and videos that are
 * being prepared are separate modules.
 */
export async function bundleClient(folder: string): Promise<ClientBundle> {
  const words = LANGUAGES.flatMap((language) => [
    `locales/${language}.ts`,
    `drm/locales/${language}.ts`,
  ])
  const results = await Promise.all([
    buildModules(folder, { entryPoints: ['main.ts'] }),
    buildModules(folder, { entryPoints: ['drm/drm.ts'] }),
    buildModules(folder, { entryPoints: ['preparing/preparing.ts'], plugins: [stylesAsTexts] }),
    buildModules(folder, { entryPoints: ['copy-details.ts'] }),
    buildModules(folder, {
      entryPoints: [CONTROLS, ...words],
      splitting: true,
      plugins: [stylesAsTexts, noSheetOfKeys, singleChunk(() => [CONTROLS])],
    }),
  ])
  const outputs = Object.fromEntries(
    results.flatMap(({ metafile }) => Object.entries(metafile.outputs)),
  )
  const fileOf = (entry: string): string => {
    const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
    if (!found) throw new Error(`the player client has no module ${entry}`)
    return found[0]
  }
  const urlOf = (entry: string): string => assetPath(fileOf(entry))
  const wordsIn = (folder: string): Record<Language, string> => ({
    en: urlOf(`${folder}/en.ts`),
    de: urlOf(`${folder}/de.ts`),
    es: urlOf(`${folder}/es.ts`),
    fr: urlOf(`${folder}/fr.ts`),
    pt: urlOf(`${folder}/pt.ts`),
    ar: urlOf(`${folder}/ar.ts`),
  })
  return {
    mainUrl: urlOf('main.ts'),
    controlsUrls: staticImports(outputs, fileOf(CONTROLS)).map(assetPath),
    wordsUrls: wordsIn('locales'),
    drmUrl: urlOf('drm/drm.ts'),
    preparingUrl: urlOf('preparing/preparing.ts'),
    drmWordsUrls: wordsIn('drm/locales'),
    copyDetailsUrl: urlOf('copy-details.ts'),
    files: results.flatMap(({ outputFiles }) =>
      outputFiles.map(({ path, contents }) => ({ path: assetPath(path), body: contents })),
    ),
  }
}

const buildModules = (
  folder: string,
  options: Pick<BuildOptions, 'entryPoints' | 'splitting' | 'plugins'>,
): Promise<BuildResult<typeof MODULE_OPTIONS>> =>
  build({ ...MODULE_OPTIONS, ...options, absWorkingDir: folder, outdir: join(folder, 'out') })

const assetPath = (file: string): string => paths.asset(file.split(/[\\/]/).at(-1) ?? '')

/** Bundles a style with what it imports. */
export const bundleStyle = (file: string): Promise<Uint8Array> => bundleFile(file)

/** Bundles the script for sites as one file that works as a classic script and as a module. */
export const bundleEmbedScript = (): Promise<Uint8Array> =>
  bundleFile(fileURLToPath(new URL('../../embed-script/reelgate-video.ts', import.meta.url)))

async function bundleFile(entry: string): Promise<Uint8Array> {
  const { outputFiles } = await build({ ...OPTIONS, entryPoints: [entry], format: 'iife' })
  const [file] = outputFiles
  if (!file) throw new Error(`${entry} was not bundled`)
  return file.contents
}

/**
 * Returns the smallest official build of Shaka Player that is sufficient (DASH only) as a module, so
 * that it creates no global. Two lines around the unchanged build provide the `exports` that it needs.
 * A bundler's wrapper would make browsers parse it twice: a tenth of a second on a small machine.
 */
export async function shakaModule(): Promise<Buffer> {
  const build = await shakaBuild()
  const script = build.toString('utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
  return Buffer.from(`const exports = {};\n${script}export default exports;\n`)
}

/** Reads the unchanged build. */
export const shakaBuild = (): Promise<Buffer> =>
  readFile(
    new URL('../../../third-party/shaka-player/shaka-player.dash-es2021.js', import.meta.url),
  )
