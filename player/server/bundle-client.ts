import { join } from 'node:path'
import { build } from 'esbuild'
import type { Metafile, OutputFile } from 'esbuild'
import { LANGUAGES } from '../language.ts'
import type { Language } from '../language.ts'

/** The client as modules, each under an address that holds the hash of its content. */
export interface ClientBundle {
  mainUrl: string
  /** What the main module imports, and what those import. */
  preloadUrls: string[]
  shakaUrl: string
  controlsUrl: string
  wordsUrls: Record<Language, string>
  files: { path: string; body: Uint8Array }[]
}

/**
 * Bundles the client in `folder`: its main module; the controls; the smallest official build of Shaka Player that
 * plays this (DASH only), as a module of its own, so that it makes no global; and a module of words
 * for each language.
 */
export async function bundleClient(folder: string): Promise<ClientBundle> {
  const words = LANGUAGES.map((language) => `words/${language}.ts`)
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['main.ts', 'shaka-module.ts', 'controls.ts', ...words],
    entryNames: '[name]-[hash]',
    chunkNames: 'shared-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    outdir: join(folder, 'out'),
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
  })
  const urlOf = (entry: string): string => addressOf(outputOf(metafile, entry))
  return {
    mainUrl: urlOf('main.ts'),
    preloadUrls: importsOf(metafile, outputOf(metafile, 'main.ts')).map(addressOf),
    shakaUrl: urlOf('shaka-module.ts'),
    controlsUrl: urlOf('controls.ts'),
    wordsUrls: Object.fromEntries(
      LANGUAGES.map((language) => [language, urlOf(`words/${language}.ts`)]),
    ) as Record<Language, string>,
    files: outputFiles.map(({ path, contents }: OutputFile) => ({
      path: addressOf(path),
      body: contents,
    })),
  }
}

function outputOf({ outputs }: Metafile, entry: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  if (!found) throw new Error(`the player client has no module ${entry}`)
  return found[0]
}

function importsOf({ outputs }: Metafile, output: string): string[] {
  const found = new Set<string>()
  const visit = (path: string): void => {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(imported)) continue
      found.add(imported)
      visit(imported)
    }
  }
  visit(output)
  return [...found]
}

const addressOf = (path: string): string => `/assets/${path.split(/[\\/]/).at(-1) ?? ''}`
