import { lockAccount } from '../../db/accounts/accounts.ts'
import { requestOf, type EntityManager } from '../../db/database.ts'
import {
  countLinesOfDay,
  countRunningImports,
  findImport,
  type ImportDetails,
} from '../../db/imports/video-imports.ts'
import {
  endImport,
  insertImport,
  type NewImportLine,
} from '../../db/imports/write-video-imports.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'
import { readTagKeys } from '../../db/videos/tag-keys.ts'
import type {
  BucketAccess,
  ImportBucket,
  ImportedFacts,
} from '../../domain/imports/video-import.ts'
import { IMPORT_LINES_A_DAY_MAX, RUNNING_IMPORTS_MAX } from '../../domain/limits.ts'
import { distinctTags } from '../../domain/videos/own-data.ts'
import { seal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { importAccessContext } from '../../security/sealing/secret-contexts.ts'
import { Refusal } from '../refusal.ts'
import { requirePlan } from '../videos/check-link.ts'
import { requireFewKeys, requireFolder } from '../videos/edit-video.ts'

export interface ImportOrder {
  accountId: number
  /** How many of its videos are made at the same time. */
  atOnce: number
  lines: (NewImportLine & { facts: ImportedFacts })[]
  /** Where the objects are that links of `objectLink` name; null if all are links. */
  bucket: (ImportBucket & BucketAccess) | null
}

interface ImportRules {
  masterKeys: MasterKeys
  /** Whether the operator has configured keys and licences of Multi-DRM plans. */
  hasDrmProvider: boolean
}

/**
 * Starts an import: writes its lines and requests its workflow. Links are checked when their turn comes. Call it in a transaction. Refuses with `no_active_plan`,
 * `drm_provider_not_configured`, `folder_not_found`, `too_much_metadata`, `too_many_imports`, and with `invalid_parameter` if two lines have the same external id.
 */
export async function createImport(
  tx: EntityManager,
  { accountId, atOnce, lines, bucket }: ImportOrder,
  { masterKeys, hasDrmProvider }: ImportRules,
): Promise<ImportDetails> {
  await requirePlan(tx, { accountId, hasDrmProvider })
  requireOwnIds(lines)
  for (const { facts } of lines) requireFewKeys(facts.metadata)
  for (const folderId of new Set(lines.map(({ facts }) => facts.folderId)))
    await requireFolder(tx, accountId, folderId)
  await lockAccount(tx, accountId)
  await requireRoom(tx, accountId, lines.length)
  const opened = bucket && sealAccess(masterKeys, accountId, bucket)
  const row = { bucket: null, sealedAccess: null, ...opened, requestId: requestOf(tx) }
  const tagKeys = await readTagKeys(
    tx,
    lines.flatMap(({ facts }) => facts.tags),
  )
  const stored = lines.map(({ facts, ...line }) => ({
    ...line,
    facts: { ...facts, tags: distinctTags(facts.tags, tagKeys) },
  }))
  const made = await insertImport(tx, { ...row, accountId, atOnce }, stored)
  const subjectId = String(made.id)
  await requestWorkflows(tx, [{ command: 'import-videos', subjectId, accountId }])
  return { import: made, counts: { waiting: lines.length } }
}

async function requireRoom(tx: EntityManager, accountId: number, count: number): Promise<void> {
  if ((await countRunningImports(tx, accountId)) >= RUNNING_IMPORTS_MAX)
    throw new Refusal('too_many_imports')
  if ((await countLinesOfDay(tx, accountId)) + count > IMPORT_LINES_A_DAY_MAX)
    throw new Refusal('too_many_imports', {
      message: `Within a day, the imports of an account may have ${IMPORT_LINES_A_DAY_MAX} lines.`,
    })
}

/** The parts of a bucket that are stored: what names it in the clear, what opens it sealed. */
function sealAccess(
  masterKeys: MasterKeys,
  accountId: number,
  { endpoint, region, name, ...opening }: ImportBucket & BucketAccess,
) {
  const sealedAccess = seal(masterKeys, JSON.stringify(opening), importAccessContext(accountId))
  return { bucket: { endpoint, region, name }, sealedAccess }
}

function requireOwnIds(lines: readonly NewImportLine[]): void {
  const seen = new Set<string>()
  for (const [index, { externalId }] of lines.entries()) {
    if (externalId === null) continue
    if (seen.has(externalId))
      throw new Refusal('invalid_parameter', {
        field: `lines.${index}.external_id`,
        message: 'Another line has the same external id.',
      })
    seen.add(externalId)
  }
}

/**
 * Cancels an import that is running: no more of its lines start, and the videos of those that have started are made. One that has ended stays as it is. Call it in a
 * transaction. Refuses with `import_not_found`.
 */
export async function cancelImport(
  tx: EntityManager,
  accountId: number,
  id: number,
): Promise<ImportDetails> {
  if (!(await findImport(tx, accountId, id))) throw new Refusal('import_not_found')
  await endImport(tx, id, 'cancelled')
  tx.clear()
  const cancelled = await findImport(tx, accountId, id)
  if (!cancelled) throw new Error('the import that was cancelled is gone')
  return cancelled
}
