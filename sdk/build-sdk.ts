import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const sdkFolder = fileURLToPath(new URL('./', import.meta.url))
const modules = join(sdkFolder, '../node_modules')
// Ky is only an ES module, so the CommonJS build bundles its dependencies.
const BUNDLED = ['ky', 'openapi-fetch']
// A bundler drops directives, and React's servers need this one.
const ENTRIES = [
  { name: 'index', banner: '' },
  { name: 'react', banner: "'use client';" },
  { name: 'vue', banner: '' },
  { name: 'upload', banner: '' },
  { name: 'uploader', banner: '' },
]

/**
 * Builds the package into `dist`: ES modules with their declarations, and in `dist/cjs` one CommonJS
 * file for each entry point with the same declarations; its package.json declares them as CommonJS.
 */
export async function buildSdk(dist: string): Promise<void> {
  const tsc = join(modules, 'ts7/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '--project', sdkFolder, '--outDir', dist])
  const cjs = join(dist, 'cjs')
  for (const name of await readdir(dist, { recursive: true })) {
    if (!name.endsWith('.d.ts') || name.startsWith('cjs')) continue
    await mkdir(dirname(join(cjs, name)), { recursive: true })
    await copyFile(join(dist, name), join(cjs, name))
  }
  for (const { name, banner } of ENTRIES)
    await build({
      entryPoints: [join(sdkFolder, `src/${name}.ts`)],
      outfile: join(cjs, `${name}.js`),
      bundle: true,
      external: ['react', 'vue'],
      banner: { js: banner },
      platform: 'neutral',
      format: 'cjs',
      target: 'es2022',
      mainFields: ['module', 'main'],
    })
  await writeFile(join(cjs, 'package.json'), '{"type":"commonjs"}\n')
  await writeFile(join(cjs, 'THIRD-PARTY-LICENSES.txt'), await licences())
}

/** Returns the licence texts of the bundled packages, as the licences require. */
async function licences(): Promise<string> {
  const texts = BUNDLED.map(async (name) => {
    const files = await readdir(join(modules, name))
    const file = files.find((one) => /^licen[cs]e/i.test(one))
    if (file === undefined) throw new Error(`${name} has no licence file`)
    return `${name}\n\n${await readFile(join(modules, name, file), 'utf8')}`
  })
  return (await Promise.all(texts)).join('\n')
}
