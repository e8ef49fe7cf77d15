import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import ipaddr from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { OPERATIONS } from '../../api/operations.ts'
import { configSchema, SECRET_VARIABLES } from '../../config/schema.ts'
import { POSTER_UPLOAD_MAX_BYTES } from '../../domain/limits.ts'
import { createAddressPolicy } from '../../egress/address-policy.ts'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { IMAGE } from '../../scripts/release/versions.ts'
import { isOurs, readComposeFile } from '../compose/compose-file.ts'

const FOLDER = join(projectDir, 'deploy', 'kubernetes')

const containerSchema = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  securityContext: z.unknown(),
  lifecycle: z
    .object({
      preStop: z.object({ exec: z.object({ command: z.tuple([z.string(), z.string()]) }) }),
    })
    .optional(),
})
const podSchema = z.looseObject({
  terminationGracePeriodSeconds: z.number().optional(),
  securityContext: z.unknown(),
  automountServiceAccountToken: z.boolean(),
  containers: z.tuple([containerSchema]),
})
const egressSchema = z.object({
  podSelector: z.unknown(),
  egress: z
    .array(
      z.object({
        to: z.array(
          z.object({
            ipBlock: z
              .object({ cidr: z.string(), except: z.array(z.string()).default([]) })
              .optional(),
          }),
        ),
        ports: z.array(z.object({ port: z.number() })),
      }),
    )
    .default([]),
})
const resourceSchema = z.looseObject({
  kind: z.string(),
  metadata: z.object({ annotations: z.record(z.string(), z.string()).default({}) }).optional(),
  data: z.record(z.string(), z.string()).optional(),
  spec: z.unknown().optional(),
})
const workloadSchema = z.object({ spec: z.object({ template: z.object({ spec: podSchema }) }) })

const resources = readdirSync(FOLDER).flatMap((name) =>
  parseAllDocuments(readFileSync(join(FOLDER, name), 'utf8')).map((document) =>
    resourceSchema.parse(document.toJS()),
  ),
)
const pods = resources
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map((resource) => workloadSchema.parse(resource).spec.template.spec)
const byName = pods.map((pod): [string, (typeof pods)[number]] => [pod.containers[0].name, pod])
const settings = resources.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}

const ofKind = (wanted: string) => resources.filter(({ kind }) => kind === wanted)

/** The time for the last requests after the server has closed (`processes/serve.ts`). */
const LAST_REQUESTS_SECONDS = 5

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
    const ours = Object.values(services).filter(isOurs)
    const commands = new Set(ours.map(({ command }) => String(command)))
    // The command line is not a process.
    commands.delete('node,cli/main.ts,doctor,drm')
    expect(new Set(pods.map(({ containers: [{ command }] }) => String(command)))).toEqual(commands)
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')))
    expect(new Set(pods.map(({ containers: [{ image }] }) => image))).toEqual(
      new Set([`${IMAGE}:${version}`]),
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

  it.each(byName.filter(([name]) => ['api', 'player', 'dashboard'].includes(name)))(
    '%s has time for its drain',
    (_name, pod) => {
      const pause = Number(pod.containers[0].lifecycle?.preStop.exec.command[1])
      const delay = Number(settings['DRAIN_DELAY_SECONDS'])
      expect(Math.min(pause, delay)).toBeGreaterThan(0)
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
        pause + delay + LAST_REQUESTS_SECONDS,
      )
    },
  )

  it('let bodies of requests reach the limits of the operations', () => {
    const annotations = ofKind('Ingress')[0]?.metadata?.annotations ?? {}
    const [, mebibytes] =
      /^(\d+)m$/.exec(annotations['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '') ?? []
    const largest = OPERATIONS.map(({ bodyMaxBytes = 0 }) => bodyMaxBytes)
    expect(Number(mebibytes) * 1024 ** 2).toBeGreaterThanOrEqual(
      Math.max(POSTER_UPLOAD_MAX_BYTES, ...largest),
    )
  })

  it('have a disruption budget for each deployment', () => {
    const budget = z.object({
      minAvailable: z.number().optional(),
      maxUnavailable: z.number().optional(),
      selector: z.object({ matchLabels: z.object({ process: z.string() }) }),
    })
    const budgets = ofKind('PodDisruptionBudget').map(({ spec }) => budget.parse(spec))
    const processes = budgets.map(({ selector }) => selector.matchLabels.process)
    const deployments = byName.map(([name]) => name).filter((name) => name !== 'set-up')
    expect(processes.toSorted()).toEqual(deployments.toSorted())
    // KEDA keeps one encoder: a budget that needs it would keep its node from being drained.
    const encoder = budgets.find(({ selector }) => selector.matchLabels.process === 'encoder')
    expect(encoder).toMatchObject({ maxUnavailable: 1 })
  })

  it('let pods connect to the internet at the ports of the contract alone, and to no address that the egress guard refuses', () => {
    const policies = ofKind('NetworkPolicy').map(({ spec }) => egressSchema.parse(spec))
    const rules = policies.flatMap(({ egress }) => egress)
    const open = rules.filter(({ to }) => to.some(({ ipBlock }) => ipBlock))
    expect(open.map(({ ports }) => ports.map(({ port }) => port))).toEqual([[443, 8443]])
    const isOpen = (address: string) =>
      open.flatMap(({ to }) => to).some(({ ipBlock }) => ipBlock && isInBlock(address, ipBlock))
    const guard = createAddressPolicy()
    expect(SPECIAL.filter((address) => guard.isAllowed(address) || isOpen(address))).toEqual([])
    expect(PUBLIC.filter((address) => !guard.isAllowed(address) || !isOpen(address))).toEqual([])
    // Without a policy that selects them all, other pods could connect anywhere.
    expect(
      policies.some(({ egress, podSelector }) => egress.length > 0 && isAll(podSelector)),
    ).toBe(true)
  })
})

const isAll = (selector: unknown): boolean =>
  isDeepStrictEqual(selector, { matchLabels: { app: 'reelgate' } })

const SPECIAL = [
  '0.0.0.1',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254',
]
  .concat(['172.31.0.1', '192.168.1.1', '224.0.0.1', '255.255.255.255'])
  .concat(['::1', 'fd00::1', 'fe80::1', '64:ff9b::a00:1', '2002:a00:1::1'])
const PUBLIC = ['1.1.1.1', '9.9.9.9', '172.32.0.1', '2606:4700:4700::1111']

function isInBlock(text: string, block: { cidr: string; except: string[] }): boolean {
  const address = ipaddr.parse(text)
  const isIn = (cidr: string): boolean => {
    const network = ipaddr.parseCIDR(cidr)
    return address.kind() === network[0].kind() && address.match(network)
  }
  return isIn(block.cidr) && !block.except.some(isIn)
}
