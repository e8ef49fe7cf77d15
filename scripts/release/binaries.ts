import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../domain/parse-json.ts'

/** The processors that images are made for. */
export const ARCHITECTURES = ['amd64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

/** The processor of this machine; null for one without images. */
export function architectureHere(): Architecture | null {
  if (process.arch === 'x64') return 'amd64'
  return process.arch === 'arm64' ? 'arm64' : null
}

/** A program of the image, and the processors for which its package has it. */
export interface Binary {
  name: string
  architectures: Architecture[]
}

const NODE_NAMES = { amd64: 'x64', arm64: 'arm64' } as const
const RUST_NAMES = { amd64: 'x86_64', arm64: 'aarch64' } as const

/** Programs that a package brings for all processors at once. */
const IN_PACKAGES: readonly [name: string, path: (architecture: Architecture) => string][] = [
  ['shaka-packager', (one) => `shaka-packager/bin/packager-linux-${NODE_NAMES[one]}`],
  [
    '@temporalio/core-bridge',
    (one) => `@temporalio/core-bridge/releases/${RUST_NAMES[one]}-unknown-linux-gnu/index.node`,
  ],
]

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
    }),
  ),
})

/**
 * Returns the programs in the packages of `folder`, as its lock file and its `node_modules` have them. Node and ffmpeg
 * come from the base image and from Debian, which have them for both processors.
 */
export async function listBinaries(folder: string): Promise<Binary[]> {
  const lock = lockSchema.parse(
    parseJson(await readFile(join(folder, 'package-lock.json'), 'utf8')),
  )
  const inPackages = IN_PACKAGES.map(([name, pathOf]) => ({
    name,
    architectures: ARCHITECTURES.filter((one) =>
      existsSync(join(folder, 'node_modules', pathOf(one))),
    ),
  }))
  return [...inPackages, ...packagesPerProcessor(lock)]
}

/** Programs that have a package for each processor, such as `@esbuild/linux-arm64`. */
function packagesPerProcessor({ packages }: z.infer<typeof lockSchema>): Binary[] {
  const binaries = new Map<string, Set<Architecture>>()
  for (const [path, { dev, os, cpu, libc }] of Object.entries(packages)) {
    if (dev || !os?.includes('linux') || libc?.includes('musl') || path.includes('musl')) continue
    for (const one of ARCHITECTURES) {
      if (!cpu?.includes(NODE_NAMES[one])) continue
      const name = path.replace('node_modules/', '').replace(`-${NODE_NAMES[one]}`, '')
      binaries.set(name, (binaries.get(name) ?? new Set()).add(one))
    }
  }
  return [...binaries].map(([name, found]) => ({
    name,
    architectures: ARCHITECTURES.filter((one) => found.has(one)),
  }))
}
