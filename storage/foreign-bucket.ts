import type { BucketAccess, ImportBucket } from '../domain/imports/video-import.ts'
import { storageErrorCode } from './contract.ts'
import { parseObjectPage, type NamedObject, type ObjectPage } from './list-response.ts'
import { clientOptions } from './presign-object.ts'
import { readBounded } from './read-bounded.ts'
import { S3Client } from './s3-client.ts'
import { S3_LIMITS } from './s3-transport.ts'

export { storageErrorCode }

/** A bucket that is not ours, and is only read. Each call throws what the S3 client does. */
export interface ForeignBucket {
  /** Lists the objects whose keys begin with `prefix`, page by page. */
  list: (prefix: string) => AsyncGenerator<NamedObject>
  /** Reads the first byte of an object. Does not throw if there is no such object, or if it has no byte that can be read now. */
  tryRead: (key: string) => Promise<void>
}

/** Opens a bucket. Sends no request yet. */
export function openForeignBucket(place: ImportBucket, access: BucketAccess): ForeignBucket {
  const client = new S3Client(clientOptions(place, access), S3_LIMITS)
  return {
    async *list(prefix) {
      for (let token: string | null = ''; token !== null;) {
        const page: ObjectPage = await readPage(client, place.name, { prefix, token })
        yield* page.objects
        if (page.nextToken === token) throw new Error('a page of the list leads to itself')
        token = page.nextToken
      }
    },
    async tryRead(key) {
      try {
        const stream = await client.getPartialObject(place.name, key, 0, 1)
        stream.destroy()
      } catch (error) {
        if (!NOT_READABLE.includes(storageErrorCode(error))) throw error
      }
    },
  }
}

/** There is no such object, it is empty, or it is in an archive. */
const NOT_READABLE: readonly unknown[] = [
  'NoSuchKey',
  'NotFound',
  'InvalidRange',
  'InvalidObjectState',
]

/** The longest keys, escaped twice, need a third of it. */
const PAGE_MAX_BYTES = 16_000_000

async function readPage(
  client: S3Client,
  bucketName: string,
  { prefix, token }: { prefix: string; token: string },
): Promise<ObjectPage> {
  // Sorted, as the signature needs them.
  const query = [
    ...(token === '' ? [] : [`continuation-token=${escaped(token)}`]),
    'encoding-type=url',
    'list-type=2',
    'max-keys=1000',
    `prefix=${escaped(prefix)}`,
  ].join('&')
  const response = await client.makeRequestAsync({ method: 'GET', bucketName, query })
  const page = await readBounded(response as AsyncIterable<Buffer>, PAGE_MAX_BYTES)
  return parseObjectPage(new TextDecoder().decode(page))
}

/** Escapes what the signature wants escaped. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
