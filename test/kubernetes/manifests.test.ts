import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { SECRET_VARIABLES, configSchema } from '../../config-schema.ts'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { readComposeFile } from '../compose/compose-file.ts'

const FOLDER = join(projectDir, 'deploy', 'kubernetes')

const containerSchema = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  securityContext: z.unknown(),
})
const podSchema = z.looseObject({
  securityContext: z.unknown(),
  automountServiceAccountToken: z.boolean(),
  containers: z.tuple([containerSchema]),
})
const workloadSchema = z.object({ spec: z.object({ template: z.object({ spec: podSchema }) }) })

const resources = readdirSync(FOLDER).flatMap((name) =>
  parseAllDocuments(readFileSync(join(FOLDER, name), 'utf8')).map(
    (document) => document.toJS() as { kind: string; data?: Record<string, string> },
  ),
)
const pods = resources
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map((resource) => workloadSchema.parse(resource).spec.template.spec)
const byName = pods.map((pod): [string, (typeof pods)[number]] => [pod.containers[0].name, pod])
const settings = resources.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}

describe('the manifests of Kubernetes', () => {
  it.each(byName)('%s has no right but those that it needs', (_name, pod) => {
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  it('start the processes of docker-compose.yml, in the version of package.json', () => {
    const { services } = readComposeFile()
    const ours = Object.values(services).filter(({ image }) => image === 'reelgate')
    const commands = new Set(ours.map(({ command }) => String(command)))
    // The command line is not a process.
    commands.delete('node,cli/main.ts,doctor,drm')
    expect(new Set(pods.map(({ containers: [{ command }] }) => String(command)))).toEqual(commands)
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')))
    expect(new Set(pods.map(({ containers: [{ image }] }) => image))).toEqual(
      new Set([`reelgate:${version}`]),
    )
  })

  it('set variables that exist, the secret ones from files', () => {
    const set = [
      ...Object.keys(settings),
      ...pods.flatMap(({ containers: [{ env }] }) => env.map(({ name }) => name)),
    ]
    const known = new Set([
      ...Object.keys(configSchema.shape),
      ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
    ])
    expect(set.filter((name) => !known.has(name))).toEqual([])
    // An address; its password is a file.
    expect(set.filter((name) => SECRET_VARIABLES.includes(name))).toEqual(['DATABASE_URL'])
  })
})
