import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../domain/parse-json.ts'
import { isAlive } from './is-alive.ts'
import { readSystemError } from './system-error.ts'

/** Addresses of a running instance. The supervisor writes them when all processes are ready. */
export type Runtime = z.infer<typeof runtimeSchema>

const runtimeSchema = z.object({
  pid: z.int().positive(),
  /** Of PostgreSQL itself. */
  databaseUrl: z.string().min(1),
  temporalAddress: z.string().min(1),
  api: z.string().optional(),
  player: z.string().optional(),
  dashboard: z.string().optional(),
  temporalUi: z.string().optional(),
  hasDrmProvider: z.boolean().optional(),
})

/** Path of the file in a data folder. */
export const runtimeFile = (dataDir: string): string => join(dataDir, 'runtime.json')

/**
 * Reads `DATA_DIR/runtime.json`. Null if it is missing or invalid, or if the process that wrote it has
 * ended, because a killed supervisor leaves the file behind.
 */
export async function readRuntime(dataDir: string): Promise<Runtime | null> {
  const text = await readTextFile(runtimeFile(dataDir))
  if (text === null) return null
  const parsed = runtimeSchema.safeParse(parseJson(text))
  return parsed.success && isAlive(parsed.data.pid) ? parsed.data : null
}

/** Returns the text of a file, or null if it does not exist. */
export async function readTextFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(readSystemError(error).code)) return null
    throw error
  }
}
