import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isAlive } from '../scripts/embedded/child.ts'

/** Where the embedded services of a data directory are; the supervisor writes it when all are up. */
export type Runtime = z.infer<typeof runtimeSchema>

const runtimeSchema = z.object({
  pid: z.int().positive(),
  databaseUrl: z.string().min(1),
  temporalAddress: z.string().min(1),
  api: z.string().optional(),
  player: z.string().optional(),
  temporalUi: z.string().optional(),
  hasDrmProvider: z.boolean().optional(),
})

/** The file of a data directory. */
export const runtimeFile = (dataDir: string): string => join(dataDir, 'runtime.json')

/**
 * Reads `DATA_DIR/runtime.json`; null where there is none, where it is not readable as such, or
 * where the process that wrote it is gone: a killed supervisor leaves the file behind.
 */
export async function readRuntime(dataDir: string): Promise<Runtime | null> {
  const text = await readTextFile(runtimeFile(dataDir))
  if (text === null) return null
  const parsed = runtimeSchema.safeParse(parseJson(text))
  return parsed.success && isAlive(parsed.data.pid) ? parsed.data : null
}

/** The text of a file, or null where it does not exist. */
export async function readTextFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
