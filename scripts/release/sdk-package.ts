import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Release } from './artifacts.ts'
import type { RunningService } from './service.ts'

const nameOf = (version: string): string => `reelgate-sdk-${version}.tgz`

/** Builds and packs the SDK as `npm publish` would. */
export async function packSdk({ version, source, folder }: Release): Promise<string> {
  await execa(process.execPath, ['scripts/build-sdk.ts'], { cwd: source })
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await execa('npm', args, { cwd: join(source, 'sdk') })
  if (stdout.trim() !== nameOf(version)) throw new Error(`npm has packed ${stdout.trim()}`)
  return stdout.trim()
}

const PROGRAM = `
  import { Reelgate, ReelgateError } from '@reelgate/sdk'
  const { BASE: baseUrl, KEY: apiKey } = process.env
  const reelgate = new Reelgate({ baseUrl, apiKey })
  const { object } = await reelgate.account.get()
  const error = await reelgate.videos.get('x').catch((reason) => reason)
  console.log(object, error instanceof ReelgateError && error.code)`

/** Installs the package with its dependencies in an empty folder, and calls a running service with it. */
export async function checkSdk(
  { version, folder }: Release,
  { api, apiKey }: RunningService,
): Promise<string> {
  const site = join(folder, 'site')
  await mkdir(site)
  await writeFile(join(site, 'package.json'), '{"type":"module"}\n')
  const install = ['install', '--no-audit', '--no-fund', join(folder, nameOf(version))]
  await execa('npm', install, { cwd: site })
  const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: site,
    env: { BASE: api, KEY: apiKey },
  })
  if (stdout !== 'account video_not_found') throw new Error(`the program has printed: ${stdout}`)
  await rm(site, { recursive: true })
  return 'installed in an empty folder, calls the API'
}
