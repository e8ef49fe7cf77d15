import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import {
  buildGoProgram,
  ensureS3Server,
  installOnce,
  projectDir,
} from '../../scripts/bootstrap/tools.mjs'

const TEMPORAL_MODULE = 'test/compose/temporal-server'

/** Returns the version of a module that a Go module of the repository pins, without its `v`. */
export function pinnedVersion(moduleDir: string, module: string): string {
  const text = readFileSync(join(projectDir, moduleDir, 'go.mod'), 'utf8')
  const words = text.split('\n').map((line) => line.trim().split(/\s+/))
  const required = words.find((line) => line.includes(module))
  const version = required?.find((word) => /^v\d/.test(word))?.slice(1)
  if (version === undefined) throw new Error(`${moduleDir}/go.mod does not pin ${module}`)
  return version
}

const goProgram =
  (name: string, moduleDir: string, module: string, command: string) => async () => {
    const version = pinnedVersion(moduleDir, module)
    const folder = await installOnce(
      `${name}-${version}`,
      `${name} ${version} (built from source, once)`,
      (into) =>
        buildGoProgram({ moduleDir, packagePath: module + command, output: join(into, name) }),
    )
    return join(folder, name)
  }

/** Each returns the path of a program, built from the source that a Go module of the repository pins. */
export const ensureProgram = {
  compose: goProgram(
    'docker-compose',
    'test/compose/docker-compose',
    'github.com/docker/compose/v2',
    '/cmd',
  ),
  caddy: goProgram('caddy', 'test/compose/caddy', 'github.com/caddyserver/caddy/v2', '/cmd/caddy'),
  temporalServer: goProgram(
    'temporal-server',
    TEMPORAL_MODULE,
    'go.temporal.io/server',
    '/cmd/server',
  ),
  temporalSqlTool: goProgram(
    'temporal-sql-tool',
    TEMPORAL_MODULE,
    'go.temporal.io/server',
    '/cmd/tools/sql',
  ),
  temporalUi: goProgram(
    'ui-server',
    TEMPORAL_MODULE,
    'github.com/temporalio/ui-server/v2',
    '/cmd/server',
  ),
  s3: ensureS3Server,
}

/** Copies files of Temporal's modules that their published images contain into `folder`. */
export async function copyTemporalFiles(folder: string): Promise<void> {
  const [server, ui] = await Promise.all([
    moduleFolder('go.temporal.io/server'),
    moduleFolder('github.com/temporalio/ui-server/v2'),
  ])
  cpSync(join(server, 'schema'), join(folder, 'schema'), { recursive: true })
  cpSync(join(ui, 'config'), join(folder, 'config'), { recursive: true })
  cpSync(join(ui, 'docker/start-ui-server.sh'), join(folder, 'start-ui-server.sh'))
  // Alpine's sh knows the option pipefail, Debian's does not.
  const entrypoint = readFileSync(join(server, 'docker/scripts/sh/entrypoint.sh'), 'utf8')
  const inBash = entrypoint.replace(/^#!.*/, '#!/bin/bash')
  writeFileSync(join(folder, 'entrypoint.sh'), inBash, { mode: 0o755 })
  await execa('chmod', ['-R', 'a+rX,u+w', folder])
  await execa('chmod', ['a+x', join(folder, 'start-ui-server.sh')])
}

/** Downloads the module if it is missing: `go list` names no folder then. */
async function moduleFolder(module: string): Promise<string> {
  const cwd = join(projectDir, TEMPORAL_MODULE)
  const { stdout } = await execa('go', ['mod', 'download', '-json', module], { cwd })
  return z.object({ Dir: z.string() }).parse(JSON.parse(stdout)).Dir
}
