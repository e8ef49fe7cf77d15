import { InvalidArgumentError } from 'commander'
import type { Config } from '../../../config/config.ts'
import { connectionFailureOf } from '../../../domain/connection-failure.ts'
import {
  BUCKET_NAME,
  isHttpsOrigin,
  type BucketAccess,
  type ImportBucket,
} from '../../../domain/imports/video-import.ts'
import {
  openForeignBucket,
  storageErrorCode,
  type ForeignBucket,
} from '../../../storage/foreign-bucket.ts'
import { CliError, type CliErrorCode } from '../../errors.ts'
import { neededVariable } from '../needed-variable.ts'

/** A bucket whose objects are imported. Its calls throw a CliError without any secret. */
export interface LibraryBucket extends ForeignBucket {
  place: ImportBucket
  /** Never written and never printed: it leaves this process with requests to the bucket, and with the import that the service makes. */
  access: BucketAccess
}

/** What the options say of a bucket; the environment says the rest. */
export interface BucketOptions {
  region?: string
  endpointUrl?: string
}

/** A bucket and a folder in it, as `s3://bucket/folder` names them. */
export interface BucketAddress {
  name: string
  /** Empty, or with a slash at its end. */
  prefix: string
}

/** Returns what an address that begins with `s3://` names; null for the path of a file. */
export function readBucketAddress(given: string): BucketAddress | null {
  const [, name, folder = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/s.exec(given) ?? []
  if (name === undefined) return null
  return { name, prefix: folder === '' || folder.endsWith('/') ? folder : `${folder}/` }
}

/** Parses the name of a bucket. */
export function parseBucketName(text: string): string {
  if (!BUCKET_NAME.test(text))
    throw new InvalidArgumentError('It must be the name of a bucket, without s3:// and folders.')
  return text
}

/** Parses the address of an S3 service. */
export function parseEndpoint(text: string): string {
  const endpoint = originOf(text)
  if (endpoint === null) throw new InvalidArgumentError(`It ${ENDPOINT_RULE}.`)
  return endpoint
}

const ENDPOINT_RULE =
  'must be the https address of an S3 service, without a path, such as https://s3.example.com'

const originOf = (text: string): string | null => {
  const origin = URL.parse(text)?.href.replace(/\/$/, '') ?? ''
  return isHttpsOrigin(origin) ? origin : null
}

/** Opens a bucket by the options and the environment, as the AWS command line does. Sends no request yet. Throws a CliError. */
export function openBucket(config: Config, name: string, options: BucketOptions): LibraryBucket {
  if (!BUCKET_NAME.test(name))
    throw new CliError('The address must be s3://, the name of a bucket, and a folder in it.', {
      code: 'invalid_parameter',
    })
  const place = { name, ...serviceOf(config, options) }
  const access = {
    accessKeyId: neededVariable('AWS_ACCESS_KEY_ID', config.AWS_ACCESS_KEY_ID),
    secretAccessKey: neededVariable('AWS_SECRET_ACCESS_KEY', config.AWS_SECRET_ACCESS_KEY),
    sessionToken:
      config.AWS_SESSION_TOKEN === undefined
        ? null
        : neededVariable('AWS_SESSION_TOKEN', config.AWS_SESSION_TOKEN),
  }
  const bucket = openForeignBucket(place, access)
  return {
    place,
    access,
    async *list(prefix) {
      try {
        yield* bucket.list(prefix)
      } catch (error) {
        throw bucketError(place, error)
      }
    },
    tryRead: (key) =>
      bucket.tryRead(key).catch((error: unknown) => {
        throw bucketError(place, error)
      }),
  }
}

/** The region that other services than AWS have unless their operator chose one. */
const USUAL_REGION = 'us-east-1'

function serviceOf(config: Config, options: BucketOptions): Omit<ImportBucket, 'name'> {
  const region = options.region ?? config.AWS_REGION ?? config.AWS_DEFAULT_REGION
  const given = config.AWS_ENDPOINT_URL_S3 ?? config.AWS_ENDPOINT_URL
  const endpoint = options.endpointUrl ?? (given === undefined ? null : originOf(given))
  if (endpoint !== null) return { endpoint, region: region ?? USUAL_REGION }
  if (given !== undefined)
    throw new CliError(`AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL ${ENDPOINT_RULE}.`, {
      code: 'invalid_configuration',
    })
  if (region !== undefined && /^[a-z0-9-]+$/.test(region))
    return { endpoint: `https://s3.${region}.amazonaws.com`, region }
  throw new CliError(
    'Where is the bucket? Set AWS_REGION to its region at AWS, or AWS_ENDPOINT_URL_S3 to the address of another S3 service.',
    { code: 'invalid_configuration' },
  )
}

/** Codes of S3, what they mean, and what to look at. */
const REFUSALS: readonly [codes: RegExp, what: string, remedy: string, code: CliErrorCode][] = [
  [
    /^(AccessDenied|Forbidden|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken)$/,
    'refuses the access',
    'correct AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, and let this key list the bucket and read its objects',
    'credentials_refused',
  ],
  [
    /^RequestTimeTooSkewed$/,
    'says that the clock of this machine is wrong',
    'set it',
    'credentials_refused',
  ],
  [
    /^NoSuchBucket$/,
    'does not exist',
    'correct its name, or the address of the service',
    'bucket_not_found',
  ],
  [
    /^(PermanentRedirect|MovedPermanently|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    'is in another region',
    'correct AWS_REGION and AWS_ENDPOINT_URL_S3',
    'invalid_configuration',
  ],
]

/** The error of the client has the request in it, so only its code is kept. */
function bucketError({ endpoint, name }: ImportBucket, error: unknown): CliError {
  if (error instanceof CliError) return error
  const found = storageErrorCode(error)
  const s3Code = typeof found === 'string' ? found.replaceAll(/\W/g, '') : ''
  const [, refusal, setting, code] = REFUSALS.find(([codes]) => codes.test(s3Code)) ?? []
  const failure = connectionFailureOf(error)
  const what = refusal ?? failure?.what ?? 'cannot be read'
  const remedy = setting ?? failure?.remedy ?? 'is the address right?'
  const detail = s3Code === '' ? '' : ` (${s3Code})`
  return new CliError(
    `The bucket ${name} at ${endpoint} ${what}: ${remedy}${detail}. Nothing was sent.`,
    { code: code ?? 'service_unavailable' },
  )
}
