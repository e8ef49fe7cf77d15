import { basename, dirname, join, relative } from 'node:path'
import type { Plugin } from 'esbuild'

const NAMESPACE = 'on-demand'

/**
 * Puts all that the entry imports statically into one file, and what most pages share into another. esbuild makes a
 * file for each set of entries that reach a module, and each module that is loaded on demand is an entry: without
 * this, the first view loads some 60 small files. Here, such a module also imports the entry of the app, which runs
 * before it in any case, and if it is a view, not words, the `common` modules: so all entries reach what these two
 * reach (ADR 0030). Both are paths in the working directory.
 */
export const singleChunk = (entry: string, common: string): Plugin => ({
  name: 'single-chunk-plugin',
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
      contents: `${importOf(entry)} ${isView(path) ? importOf(common) : ''} export * from './${basename(path)}'`,
      resolveDir: dirname(join(absWorkingDir, path)),
    }))
  },
})

const isView = (path: string): boolean => path.endsWith('.tsx')

/** The source file of an entry of esbuild's metafile. */
export const sourceOf = (entryPoint: string): string => entryPoint.replace(`${NAMESPACE}:`, '')
