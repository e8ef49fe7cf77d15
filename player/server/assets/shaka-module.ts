import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Returns the smallest official build of Shaka Player that is sufficient (DASH only) as a module, so
 * that it creates no global. Two lines around the unchanged build provide the `exports` that it needs.
 * A bundler's wrapper would make browsers parse it twice: a tenth of a second on a small machine.
 */
export async function shakaModule(): Promise<Buffer> {
  const build = await shakaBuild('shaka-player.dash-es2021.js')
  const script = build.toString('utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
  return Buffer.from(`const exports = {};\n${script}export default exports;\n`)
}

/** Reads one of the builds in the Shaka Player package, by its file name. */
export function shakaBuild(name: string): Promise<Buffer> {
  const root = dirname(createRequire(import.meta.url).resolve('shaka-player/package.json'))
  return readFile(join(root, 'dist', name))
}
