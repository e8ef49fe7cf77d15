import { basename, dirname, join, relative } from 'node:path'
import type { Plugin } from 'esbuild'

const NAMESPACE = 'on-demand'

/**
 * Puts all that the entry imports statically into one file. esbuild makes a file for each set of entries that reach
 * a module, and each module that is loaded on demand is an entry: without this, the first view loads some 60 small
 * files. Here, such a module also imports the entry of the app, which runs before it in any case, so that all entries
 * reach what the app's own entry reaches (ADR 0030). `entry` is a path in the working directory.
 */
export const firstFile = (entry: string): Plugin => ({
  name: 'first-file',
  setup(build) {
    const { absWorkingDir = '' } = build.initialOptions
    build.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return null
      const { path: file, errors } = await build.resolve(path, {
        kind: 'import-statement',
        resolveDir,
      })
      return { path: relative(absWorkingDir, file), namespace: NAMESPACE, errors }
    })
    build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
      contents: `import ${JSON.stringify(join(absWorkingDir, entry))}; export * from './${basename(path)}'`,
      resolveDir: dirname(join(absWorkingDir, path)),
    }))
  },
})

/** The source file of an entry of esbuild's metafile. */
export const sourceOf = (entryPoint: string): string => entryPoint.replace(`${NAMESPACE}:`, '')
