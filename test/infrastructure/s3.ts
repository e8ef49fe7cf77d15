import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'minio'
import { ensureS3Server, inheritedEnvironment } from '../../scripts/bootstrap/tools.mjs'
import { startChild } from '../../scripts/embedded/child.ts'
import type { Guard } from '../../scripts/embedded/guard.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { openRotatingLog } from '../../scripts/embedded/rotating-log.ts'
import { lazily } from './lazily.ts'

/** Returns the settings of a service that keeps its objects in a bucket of `createS3`. */
export const s3SettingsOf = (
  bucket: Awaited<ReturnType<ReturnType<typeof createS3>['createBucket']>>,
) => ({
  S3_ENDPOINT: bucket.endpoint,
  S3_REGION: bucket.region,
  S3_BUCKET: bucket.bucket,
  S3_ACCESS_KEY: bucket.accessKey,
  S3_SECRET_KEY: bucket.secretKey,
})

const READY_TIMEOUT_MS = 30_000
const REGION = 'eu-test-1'

/** A real S3 server (versitygw over a folder), started at the first request. */
export function createS3(dataDir: string, guard: Guard) {
  const service = lazily(() => startS3(dataDir, guard))
  return {
    createBucket: async () => {
      const { client, connection } = await service.get()
      const bucket = `test-${randomBytes(6).toString('hex')}`
      await client.makeBucket(bucket, REGION)
      return { driver: 's3', bucket, pathStyle: true, ...connection }
    },
    stop: service.stop,
  }
}

async function startS3(dataDir: string, guard: Guard) {
  const port = await freePort()
  const folder = join(dataDir, 's3')
  mkdirSync(folder)
  const metadata = join(dataDir, 'metadata-of-s3')
  mkdirSync(metadata)
  const accessKey = 'test-access'
  const secretKey = randomBytes(16).toString('hex')
  const child = startChild({
    program: await ensureS3Server(),
    args: [
      '--port',
      `127.0.0.1:${port}`,
      '--region',
      REGION,
      'posix',
      '--sidecar',
      metadata,
      folder,
    ],
    env: {
      ...inheritedEnvironment(),
      ROOT_ACCESS_KEY_ID: accessKey,
      ROOT_SECRET_ACCESS_KEY: secretKey,
    },
    log: openRotatingLog(join(dataDir, 's3.log')),
    guard,
  })
  const client = new Client({
    endPoint: '127.0.0.1',
    port,
    useSSL: false,
    region: REGION,
    pathStyle: true,
    accessKey,
    secretKey,
  })
  const connection = { endpoint: `http://127.0.0.1:${port}`, region: REGION, accessKey, secretKey }
  await awaitReady(client, () => child.lastLines())
  return { client, connection, stop: () => child.stop() }
}

async function awaitReady(client: Client, lastLines: () => string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    try {
      await client.listBuckets()
      return
    } catch (cause) {
      if (Date.now() > deadline) throw new Error(`S3 did not respond:\n${lastLines()}`, { cause })
      await sleep(100)
    }
  }
}
