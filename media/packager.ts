import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runTool } from './run-tool.ts'
import type { MediaWork, ToolResult } from './run-tool.ts'

/** A content key in the form that the packager takes. */
export interface PackagerKey {
  /** 32 hex characters each. */
  keyIdHex: string
  keyHex: string
  ivHex?: string
}

/**
 * Runs Shaka Packager, which says nothing while it works: its progress is the growth of what is in
 * `outputDir`. Flags that carry a key go through a file that only this user can read and
 * that is gone afterwards: a command line is visible to everybody on the machine.
 */
export async function runPackager(
  args: string[],
  secretFlags: string[],
  work: MediaWork & { outputDir: string },
): Promise<ToolResult> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-packager-'))
  const flagFile = join(folder, 'flags')
  try {
    await writeFile(flagFile, `${secretFlags.join('\n')}\n`, { mode: 0o600 })
    return await runTool(packagerPath(), [`--flagfile=${flagFile}`, ...args, '--quiet'], work)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The key as a packager flag; for a flag file only. */
export const keyFlag = ({ keyIdHex, keyHex, ivHex }: PackagerKey): string =>
  `--keys=label=:key_id=${keyIdHex}:key=${keyHex}${ivHex === undefined ? '' : `:iv=${ivHex}`}`

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'osx' }

let cachedPath: string | undefined

/** Where the npm package keeps the binary for this machine; throws where it has none. */
export function packagerPath(): string {
  if (cachedPath !== undefined) return cachedPath
  const platform = PLATFORMS[process.platform]
  if (platform === undefined) throw new Error(`there is no Shaka Packager for ${process.platform}`)
  const root = dirname(createRequire(import.meta.url).resolve('shaka-packager/package.json'))
  cachedPath = join(root, 'bin', `packager-${platform}-${process.arch}`)
  return cachedPath
}
