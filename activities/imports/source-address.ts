import type { ImportAccess } from '../../db/imports/video-imports.ts'
import { keyOfLink, type BucketAccess } from '../../domain/imports/video-import.ts'
import { SourceError } from '../../egress/source-error.ts'
import { unseal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { importAccessContext } from '../../security/sealing/secret-contexts.ts'
import { presignObject } from '../../storage/presign-object.ts'

/**
 * Returns where a source is fetched: its link, or for an object of the bucket of an import an address that is signed for GET and a quarter of an hour. Each attempt gets its own. Throws a
 * SourceError if what opens the bucket is forgotten, and for names that no bucket or object can have.
 */
export async function sourceAddress(
  masterKeys: MasterKeys,
  sourceUrl: string,
  access: ImportAccess | null,
): Promise<string> {
  const key = keyOfLink(sourceUrl)
  if (key === null) return sourceUrl
  if (!access?.bucket || access.sealedAccess === null)
    throw new SourceError('source_unreachable', 'The import of this object has ended.')
  const context = importAccessContext(access.accountId)
  const opened = unseal(masterKeys, access.sealedAccess, context).toString('utf8')
  try {
    return await presignObject(access.bucket, JSON.parse(opened) as BucketAccess, key)
  } catch (error) {
    // Another error would be thrown again in each round, and no line of the import would ever start.
    throw new SourceError(
      'invalid_source_url',
      'The address of the bucket, its name or the key is not valid.',
      error,
    )
  }
}
