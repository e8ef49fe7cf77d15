import { basename, dirname, join, relative } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

const NAMESPACE = 'on-demand'

/**
 * Puts all that an entry imports statically into one file. esbuild makes a file for each set of entries that reach a
 * module, and each module that is loaded on demand is an entry: without this, there are many small files. Here, such a
 * module also imports what `importsOf` returns for it, such as the entry, which runs before it in any case: so all
 * entries reach what these reach (ADR 0030). Paths are in the working directory.
 */
export const singleChunk = (importsOf: (path: string) => readonly string[]): Plugin => ({
  name: 'single-chunk',
  setup(build) {
    const { absWorkingDir = '' } = build.initialOptions
    const importOf = (path: string): string =>
      `import ${JSON.stringify(join(absWorkingDir, path))};`
    build.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return null
      const { path: file, errors } = await build.resolve(path, {
        kind: 'import-statement',
        resolveDir,
      })
      return { path: relative(absWorkingDir, file), namespace: NAMESPACE, errors }
    })
    build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
      contents: `${importsOf(path).map(importOf).join(' ')} export * from './${basename(path)}'`,
      resolveDir: dirname(join(absWorkingDir, path)),
    }))
  },
})

/** The source file of an entry of esbuild's metafile. */
export const sourceOf = (entryPoint: string): string => entryPoint.replace(`${NAMESPACE}:`, '')

/** Returns a file of a bundle and all files that it imports statically, each once. */
export function staticImports(
  outputs: Metafile['outputs'],
  file: string,
  seen = new Set<string>(),
): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const imports = outputs[file]?.imports ?? []
  const next = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path)
  return [file, ...next.flatMap((path) => staticImports(outputs, path, seen))]
}
