import { connectionFailureOf } from '../domain/connection-failure.ts'
import { storageErrorCode } from './contract.ts'

/** The address of a storage, as its settings have it. */
interface S3Address {
  endpoint: string
  bucket: string
}

/** The storage cannot be used; `message` says in one line which, why, and what to do. */
export class StorageUnusableError extends Error {
  override name = 'StorageUnusableError'

  constructor(address: S3Address, error: unknown) {
    super(describe(address, error), { cause: error })
  }
}

/** Codes of S3, what they mean, and the settings to look at. */
const REFUSALS: readonly [codes: RegExp, what: string, remedy: string][] = [
  [
    /^(AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|Forbidden)$/,
    'refuses the access',
    'correct S3_ACCESS_KEY and S3_SECRET_KEY, and what this key may do with the bucket',
  ],
  [/^NoSuchBucket$/, 'does not have the bucket', 'correct S3_BUCKET, or create the bucket'],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    'has the bucket in another region',
    'correct S3_REGION and S3_ENDPOINT',
  ],
  [/^NotImplemented$/, 'lacks an operation that Reelgate needs', 'use a storage that has it'],
]

function describe({ endpoint, bucket }: S3Address, error: unknown): string {
  const message = error instanceof Error ? error.message.trim().split('\n')[0] : String(error)
  const [, refusal, setting] =
    REFUSALS.find(([codes]) => codes.test(String(storageErrorCode(error)))) ?? []
  const failure = connectionFailureOf(error)
  const what = refusal ?? failure?.what ?? 'cannot be used'
  const remedy = setting ?? failure?.remedy ?? 'is it running, and is S3_ENDPOINT right?'
  return `The object storage at ${endpoint} (bucket ${bucket}) ${what}: ${remedy} (${message || failure?.code})`
}
