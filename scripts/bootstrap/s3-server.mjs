import { join } from 'node:path'
import { buildGoProgram } from './go-program.mjs'
import { installOnce } from './install-once.mjs'

const VERSION = '1.8.0'

/** Path of versitygw, the S3 server that the tests run against. */
export async function ensureS3Server() {
  const title = 'S3 server for the tests (built from source, once)'
  const folder = await installOnce(`versitygw-${VERSION}`, title, (into) =>
    buildGoProgram({
      moduleDir: 'test/s3-server',
      packagePath: 'github.com/versity/versitygw/cmd/versitygw',
      output: join(into, 'versitygw'),
    }),
  )
  return join(folder, 'versitygw')
}
