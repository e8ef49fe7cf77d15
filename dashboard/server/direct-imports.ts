import { readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import type { Loader, Plugin } from 'esbuild'

/** The index of Mantine imports all of its modules, so esbuild would put all that any page uses into the first chunk. */
const INDEX = '@mantine/core'

/** Our files that import it. */
const IMPORTERS = /[\\/](?:dashboard[\\/]web|test[\\/]browser)[\\/].*\.(?:tsx?|mjs)$/

const IMPORT = /import (type )?\{([^}]*)\} from (['"])([^'"]+)\3;?/g

const LOADERS: Record<string, Loader> = { '.ts': 'ts', '.tsx': 'tsx', '.mjs': 'js' }

/** Replaces each import from the index of Mantine by imports from the modules that it names. */
export const directImports: Plugin = {
  name: 'direct-imports',
  setup(build) {
    let files: Promise<Map<string, string>> | undefined
    build.onLoad({ filter: IMPORTERS }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes(INDEX)) return null
      files ??= build
        .resolve(INDEX, { kind: 'import-statement', resolveDir: dirname(path) })
        .then((index) => filesOf(index.path))
      return { contents: redirect(source, await files), loader: LOADERS[extname(path)] ?? 'js' }
    })
  },
}

/** The file of each name that an index exports. A name that it passes on from another package is left out. */
async function filesOf(index: string): Promise<Map<string, string>> {
  const source = await readFile(index, 'utf8')
  const imports = [...source.matchAll(IMPORT)]
  return new Map(
    imports.flatMap(([, , names = '', , file = '']) =>
      file.startsWith('.')
        ? namesIn(names).map((name) => [name, join(dirname(index), file)] as const)
        : [],
    ),
  )
}

function redirect(source: string, files: Map<string, string>): string {
  return source.replaceAll(IMPORT, (whole, type, names: string, _quote, from) => {
    if (from !== INDEX) return whole
    if (type !== undefined) return ''
    return namesIn(names)
      .filter((name) => !name.startsWith('type '))
      .map((name) => `import { ${name} } from ${JSON.stringify(fileOf(name, files))};`)
      .join(' ')
  })
}

function fileOf(name: string, files: Map<string, string>): string {
  const file = files.get(name.replace(/ as .*/, ''))
  if (file === undefined) throw new Error(`${INDEX} has no ${name}`)
  return file
}

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
