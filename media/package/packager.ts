import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runTool, type MediaWork, type ToolResult } from '../run-tool.ts'

/** A content key in the format of the packager. */
export interface PackagerKey {
  /** 32 hex characters each. */
  keyIdHex: string
  keyHex: string
  /** Without one, the packager chooses it. */
  ivHex?: string | null
}

/**
 * Runs Shaka Packager. It reports no progress, so the growth of the files in `outputDir` counts as progress.
 * Passes flags with a key in a file that only this user can read and that is removed afterwards,
 * because every user of the machine can see command lines. The file is beside `outputDir`, and so is what the
 * packager keeps while it writes one file, such as a decrypted track: after a kill both are removed with the other
 * files of their attempt.
 */
export async function runPackager(
  args: string[],
  secretFlags: string[],
  work: MediaWork & { outputDir: string },
): Promise<ToolResult> {
  const folder = await mkdtemp(join(dirname(work.outputDir), 'packager-'))
  const flagFile = join(folder, 'flags')
  try {
    await writeFile(flagFile, `${secretFlags.join('\n')}\n`, { mode: 0o600 })
    const flags = [`--flagfile=${flagFile}`, `--temp_dir=${folder}`, '--quiet']
    return await runTool(packagerPath(), [...flags, ...args], work)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Formats the key as a packager flag, for a flag file only. */
export const keyFlag = ({ keyIdHex, keyHex, ivHex }: PackagerKey): string =>
  `--keys=label=:key_id=${keyIdHex}:key=${keyHex}${ivHex ? `:iv=${ivHex}` : ''}`

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'osx' }

let cachedPath: string | undefined

/** Returns the path of this machine's binary in the npm package. Throws if the platform has none. */
export function packagerPath(): string {
  if (cachedPath !== undefined) return cachedPath
  const platform = PLATFORMS[process.platform]
  if (platform === undefined) throw new Error(`there is no Shaka Packager for ${process.platform}`)
  const root = dirname(createRequire(import.meta.url).resolve('shaka-packager/package.json'))
  cachedPath = join(root, 'bin', `packager-${platform}-${process.arch}`)
  return cachedPath
}
