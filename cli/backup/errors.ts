import { LockedError } from '../../db/backup/connection.ts'
import { NotLoadableError } from '../../db/backup/load-dump.ts'
import { describeDiskError } from '../disk-errors.ts'
import { CliError } from '../errors.ts'

/** A file of a backup is missing or is not what the backup says. */
export const damaged = (path: string, why: string): CliError =>
  new CliError(`The backup is damaged: ${path} ${why}.`, { code: 'backup_damaged' })

/** Awaits work on a backup. Rethrows a lock that is taken, a database that does not fit and errors of the disk with words for the operator. */
export async function describeFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof LockedError)
      throw new CliError('Another backup or drill of this database is running.', {
        code: 'backup_running',
      })
    if (error instanceof NotLoadableError)
      throw new CliError(error.message, {
        code: error.reason === 'newer' ? 'backup_newer' : 'database_not_empty',
      })
    const words = describeDiskError(error)
    if (words === null) throw error
    throw new CliError(`${words}. Complete backups are unchanged.`, {
      code: 'backup_folder_unusable',
    })
  }
}
