import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The smallest official build of Shaka Player that plays this (DASH only), as a module: it makes no
 * global. The build is taken as it is, between two lines that give it the `exports` it asks for: a
 * bundler's wrapper has a browser parse it twice, a tenth of a second on a small machine.
 */
export async function shakaModule(): Promise<Buffer> {
  const build = await shakaBuild('shaka-player.dash-es2021.js')
  const script = build.toString('utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
  return Buffer.from(`const exports = {};\n${script}export default exports;\n`)
}

/** One of the builds that the package of Shaka Player comes with, by its file's name. */
export function shakaBuild(name: string): Promise<Buffer> {
  const root = dirname(createRequire(import.meta.url).resolve('shaka-player/package.json'))
  return readFile(join(root, 'dist', name))
}
