import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { OpenedSource } from '../egress/open-video-source.ts'
import { SourceError } from '../egress/source-error.ts'
import type { WorkFolder } from './work-folder.ts'

/** Without a validator, the link may return another file by now. */
const partialFactsSchema = z.object({ validator: z.string() })

/** Where to resume: the start of the file unless an earlier attempt left a part and its validator. */
export async function resumePoint(
  folder: WorkFolder,
): Promise<{ startByte: number; ifRange?: string }> {
  try {
    const { size } = await stat(folder.partialPath)
    const facts = partialFactsSchema.parse(
      JSON.parse(await readFile(folder.partialFactsPath, 'utf8')),
    )
    return size > 0 ? { startByte: size, ifRange: facts.validator } : { startByte: 0 }
  } catch {
    return { startByte: 0 }
  }
}

/** Prepares the partial file for the body of `source`, and records its validator for the next attempt. */
export async function beginPart(
  folder: WorkFolder,
  { startByte, validator }: OpenedSource,
): Promise<void> {
  // The partial file belongs to another version of the source.
  if (startByte === 0) await rm(folder.partialPath, { force: true })
  await writeFile(folder.partialFactsPath, JSON.stringify({ validator }), { mode: 0o600 })
}

/** Throws a SourceError if the body is incomplete. The next attempt resumes a body that is too short. */
export async function checkComplete(folder: WorkFolder, totalBytes: number | null): Promise<void> {
  const { size } = await stat(folder.partialPath)
  if (size === 0) throw new SourceError('source_unreachable', 'The source is empty.')
  if (totalBytes !== null && size !== totalBytes) {
    if (size > totalBytes) await rm(folder.partialPath, { force: true })
    throw new SourceError('source_unreachable', 'The source ended before all of it was sent.')
  }
}
