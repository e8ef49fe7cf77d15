import { join } from 'node:path'
import type { EntityManager } from '../../db/database.ts'
import { findMasterKeyHolders, type MasterKeyHolder } from '../../db/secrets/master-key-holders.ts'
import { readFingerprints } from '../../db/secrets/master-keys.ts'
import { compareMasterKeys } from '../../processes/open-master-keys.ts'
import { addMasterKey, pickMasterKeys, versionsOf } from '../../security/sealing/sealing.ts'
import { nextVersionOf } from '../../views/operator/master-key.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { openMasterKeyFile, type MasterKeyFile } from '../master-key-file.ts'
import { readStatus, requestRotation, requireRolledOut } from '../master-key-status.ts'

export interface FileOptions {
  file?: string
}

/** What a verb has done of a change of the master key. */
interface Step {
  /** What was done; `wait` and `none` changed nothing. */
  step: 'add' | 'use' | 'seal' | 'wait' | 'drop' | 'none'
  /** The versions that the file holds now, the current one first. */
  versions: number[]
  done: string
  /** What the operator does next. */
  next: string
}

const RESTART = 'restart every process (docker compose up -d --force-recreate --wait)'
const CONTINUE = 'run reelgate master-key continue'

/** Adds a key of a new version to the file, as the first step of a change. */
export async function begin(context: Context, options: FileOptions): Promise<void> {
  const em = await context.entityManager()
  const file = await openFile(context, em, options)
  const versions = versionsOf(file.masterKeys)
  const next = nextVersionOf(versions)
  if (next !== null || versions.length > 1)
    throw new CliError(
      `A change of the master key is under way: ${file.path} has the versions ${versions.join(', ')}. ` +
        `To go on, ${CONTINUE}.`,
      { code: 'master_key_change_running' },
    )
  requireKnown(await findMasterKeyHolders(em), versions[0])
  const version = Math.max(...versions, ...(await readFingerprints(em)).keys()) + 1
  await file.write(addMasterKey(file.masterKeys, version))
  print(context, file, {
    step: 'add',
    versions: [...versions, version],
    done: `${file.path} has version ${version} of the master key too; version ${versions[0]} stays the current one.`,
    next: `Keep a copy of the file elsewhere. Then ${RESTART}, and ${CONTINUE}.`,
  })
}

/** Does the next step of a change, if its time has come. */
export async function continueChange(context: Context, options: FileOptions): Promise<void> {
  const em = await context.entityManager()
  const file = await openFile(context, em, options)
  const versions = versionsOf(file.masterKeys)
  const next = nextVersionOf(versions)
  const step = next === null ? await finish(em, file) : await useVersion(em, file, next)
  print(context, file, step)
}

async function useVersion(em: EntityManager, file: MasterKeyFile, version: number): Promise<Step> {
  requireKnown(await findMasterKeyHolders(em), version)
  const masterKeys = { ...file.masterKeys, current: version }
  await file.write(masterKeys)
  return {
    step: 'use',
    versions: versionsOf(masterKeys),
    done: `Version ${version} is the current one in ${file.path}.`,
    next: `Next: ${RESTART}, and ${CONTINUE}.`,
  }
}

/** Seals everything under the current version, then drops the versions before it. */
async function finish(em: EntityManager, file: MasterKeyFile): Promise<Step> {
  const status = await readStatus(em, file.masterKeys)
  const versions = versionsOf(file.masterKeys)
  if (versions.length === 1)
    return {
      step: 'none',
      versions,
      done: `${file.path} has only version ${versions[0]} of the master key.`,
      next: `No change is under way: reelgate master-key begin starts one.`,
    }
  requireRolledOut(status)
  if (status.other_count > 0) {
    await requestRotation(em, status.version)
    return {
      step: 'seal',
      versions,
      done: `Sealing ${status.other_count} values under version ${status.version}.`,
      next: `When reelgate master-key status shows 100 %, ${CONTINUE}.`,
    }
  }
  const waitMs = signedUntilMs(await findMasterKeyHolders(em)) - Date.now()
  if (waitMs > 0) return waitStep(versions, waitMs)
  return drop(file)
}

/** Sessions and tickets that the former key signed are renewed or expire within this time. */
const SIGNED_MS = 10 * 60_000

/** When the last text expires that a process signed before these ones started. */
const signedUntilMs = (holders: MasterKeyHolder[]): number =>
  Math.max(0, ...holders.map(({ startedAt }) => startedAt.getTime() + SIGNED_MS))

const waitStep = (versions: [number, ...number[]], waitMs: number): Step => ({
  step: 'wait',
  versions,
  done:
    `All values are sealed under version ${versions[0]}. Sessions that version ${versions.slice(1).join(', ')} ` +
    `signed are valid for ten minutes after the last restart.`,
  next:
    `In ${Math.ceil(waitMs / 60_000)} minutes, ${CONTINUE}. ` +
    `With DRM_FAIRPLAY_DELIVERY=hls or an iOS app, wait a day.`,
})

async function drop(file: MasterKeyFile): Promise<Step> {
  const [current, ...others] = versionsOf(file.masterKeys)
  for (const version of others) await file.keepFormer(pickMasterKeys(file.masterKeys, [version]))
  await file.write(pickMasterKeys(file.masterKeys, [current]))
  return {
    step: 'drop',
    versions: [current],
    done: `Version ${others.join(', ')} is no longer in ${file.path}, but in ${file.formerPath}.`,
    next: `Next: ${RESTART}. Move ${file.formerPath} to where you keep copies, as long as you keep backups that need it.`,
  }
}

/** Opens the file, whose keys must be those of the database. */
async function openFile(
  { config, dataDir }: Context,
  em: EntityManager,
  options: FileOptions,
): Promise<MasterKeyFile> {
  if (options.file === undefined && config.MASTER_KEY !== undefined)
    throw new CliError('Name the file that holds MASTER_KEY: --file secrets/master_key', {
      param: '--file',
    })
  const file = await openMasterKeyFile(options.file ?? join(dataDir, 'master.key'))
  await compareMasterKeys(em, file.masterKeys)
  return file
}

/** Throws a CliError that lists the running processes without this version. */
function requireKnown(holders: MasterKeyHolder[], version: number): void {
  const late = holders.filter(({ versions }) => !versions.includes(version))
  if (late.length === 0) return
  throw new CliError(
    `These processes do not have version ${version} of the master key yet: ` +
      `${late.map(({ process, versions }) => `${process} (${versions.join(', ')})`).join('; ')}. ` +
      `Restart them with this file.`,
    { code: 'master_key_not_rolled_out' },
  )
}

function print({ out }: Context, { path }: MasterKeyFile, step: Step): void {
  out.print({ object: 'master_key_step', file: path, ...step }, `${step.done}\n${step.next}`)
}
