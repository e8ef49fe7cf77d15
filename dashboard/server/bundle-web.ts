import { fileURLToPath } from 'node:url'
import { build, type BuildResult } from 'esbuild'
import { FONT_RULES } from '../../http/pages/fonts.ts'
import { singleChunk, sourceOf, staticImports } from '../../http/pages/single-chunk.ts'
import { SCRIPT_TYPE, STYLE_TYPE } from '../../http/pages/static-files.ts'
import { directImports } from './direct-imports.ts'

/** The app itself, as a path in the repository. */
export const APP_ENTRY = 'dashboard/web/main.tsx'
/** What most pages share. */
const COMMON = 'dashboard/web/list-parts.ts'
/** Runs before the first paint, so the page has it in itself. */
const APPEARANCE_ENTRY = 'dashboard/web/appearance.ts'

const ASSETS_PATH = '/assets'

const OPTIONS = {
  absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
  outdir: '/assets',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  target: 'es2022',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  metafile: true,
  write: false,
  legalComments: 'none',
  banner: { css: FONT_RULES },
  logLevel: 'silent',
} as const

type Outputs = BuildResult<typeof OPTIONS>['metafile']['outputs']

interface WebFile {
  /** Its address, which contains the hash of its content. */
  path: string
  type: string
  body: Uint8Array
}

/** The app for the browser, in memory. */
export interface WebBundle {
  files: WebFile[]
  /** The modules of the entry, which all that the first paint waits for is in; the first one runs the app. */
  scriptPaths: string[]
  stylePath: string
  /** The text of a script that sets the colour scheme, the language and the direction of the page. */
  appearance: string
  /** What each route adds: the static imports of a module that is loaded on demand, by its source file. */
  routes: Map<string, string[]>
}

/**
 * Bundles an app of `dashboard/web/`. All styles that an entry reaches are in one file, which the modules
 * loaded on demand share; esbuild's further style files repeat parts of it and are left out (esbuild #2043).
 */
export async function bundleWeb(entry = APP_ENTRY): Promise<WebBundle> {
  const [app, appearance] = await Promise.all([
    build({
      ...OPTIONS,
      entryPoints: [entry],
      format: 'esm',
      splitting: true,
      // A view, not words, also imports what most pages share.
      plugins: [
        singleChunk((path) => (path.endsWith('.tsx') ? [entry, COMMON] : [entry])),
        directImports,
      ],
    }),
    build({ ...OPTIONS, entryPoints: [APPEARANCE_ENTRY], format: 'iife' }),
  ])
  const { outputs } = app.metafile
  const main = outputOf(outputs, entry)
  const stylePath = assetPath(outputs[main]?.cssBundle ?? '')
  const files = app.outputFiles
    .map(({ path, contents }) => ({ path: assetPath(path), body: contents }))
    .filter(({ path }) => path.endsWith('.js') || path === stylePath)
  return {
    files: files.map((file) => ({ ...file, type: typeOf(file.path) })),
    // Nothing is left in the file of the entry itself but the import of the one that it shares with all others.
    scriptPaths: staticImports(outputs, main)
      .filter((file) => Object.keys(outputs[file]?.inputs ?? {}).length > 0)
      .map(assetPath),
    stylePath,
    appearance: appearance.outputFiles.map(({ text }) => text.trim()).join(''),
    routes: new Map(
      Object.entries(outputs).flatMap(([file, { entryPoint }]) =>
        entryPoint === undefined || file === main || !file.endsWith('.js')
          ? []
          : [[sourceOf(entryPoint), staticImports(outputs, file).map(assetPath)]],
      ),
    ),
  }
}

function outputOf(outputs: Outputs, entry: string): string {
  const found = Object.entries(outputs).find(
    ([file, { entryPoint }]) => entryPoint === entry && file.endsWith('.js'),
  )
  if (!found) throw new Error(`the dashboard has no module ${entry}`)
  return found[0]
}

const typeOf = (path: string): string => (path.endsWith('.css') ? STYLE_TYPE : SCRIPT_TYPE)

const assetPath = (file: string): string => `${ASSETS_PATH}/${file.split(/[\\/]/).at(-1) ?? ''}`
