import { msToTs } from '@temporalio/common/lib/time.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { openClient } from '../temporal/connect.ts'
import { ensureDeliveriesNamespace, ensureNamespace } from '../temporal/ensure-namespace.ts'
import { ensureSearchAttributes } from '../temporal/prepare-temporal.ts'
import { temporalAddress } from '../test/infrastructure/services.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'
import { checkNamespaces } from './namespaces.ts'

const DAY_MS = 86_400_000
let address: string
let client: ReturnType<typeof openClient>
const name = `kept-long-${process.pid}`

beforeAll(async () => {
  address = await temporalAddress()
  client = openClient({ address, namespace: name })
})
afterAll(() => client.connection.close())

function check(env: Record<string, string>, isUp = true): Promise<string> {
  const config = loadConfig(env)
  const installation = {
    config,
    dataDir: '',
    runtime: null,
    storage: null,
    entityManager: () => Promise.reject(new Error('not needed')),
    uncheckedMasterKeys: () => Promise.reject(new Error('not needed')),
    temporalAddress: () => address,
  }
  return checkNamespaces(installation, Promise.resolve({ name: '', ok: isUp, detail: '' }))
}

describe('doctor', () => {
  it('says how long each namespace keeps ended workflows', async () => {
    expect(await check({})).toBe(
      'default keeps ended workflows for 90 days, default-deliveries keeps ended workflows for 3 days',
    )
    expect(await check({ TEMPORAL_DELIVERIES_NAMESPACE: 'default' })).toBe(
      'default keeps ended workflows for 90 days',
    )
  })

  it('says what a namespace of deliveries lacks, with the command that adds it', async () => {
    const env = { TEMPORAL_DELIVERIES_NAMESPACE: name }
    await expect(check(env)).rejects.toThrow(
      `Temporal has no namespace ${name}: temporal operator namespace create --namespace ${name} --retention 3d`,
    )
    await client.workflowService.registerNamespace({
      namespace: name,
      workflowExecutionRetentionPeriod: msToTs(40 * DAY_MS),
    })
    const isKnown = () =>
      client.connection.operatorService.listSearchAttributes({ namespace: name }).then(
        () => true,
        () => false,
      )
    await waitFor('the namespace', isKnown)
    await expect(check(env)).rejects.toThrow(/lacks the search attributes AccountId, VideoId/)
    await ensureSearchAttributes(client)
    await expect(check(env)).rejects.toThrow(
      `${name} keeps histories of deliveries for 40 days, longer than the deliveries: temporal operator namespace update`,
    )
  })

  it('leaves the rest to the check of Temporal while that does not respond', async () => {
    await expect(check({}, false)).rejects.toThrow('needs Temporal: see there')
  })
})

describe('a worker', () => {
  it('makes the namespace of deliveries with its search attributes, where set-up did not', async () => {
    const main = openClient({ address, namespace: 'default' })
    const env = { TEMPORAL_DELIVERIES_NAMESPACE: `of-worker-${process.pid}` }
    await ensureDeliveriesNamespace(main, loadConfig(env).namespaces)
    expect(await check(env)).toContain(`of-worker-${process.pid} keeps ended workflows for 3 days`)
    await main.connection.close()
  })
})

describe('a namespace that Temporal refuses to make', () => {
  it('is an error with the command for the operator, and the other setting', async () => {
    const refused = openClient({ address, namespace: 'x'.repeat(2_000) })
    const namespaces = { main: 'default', deliveries: refused.options.namespace }
    await expect(ensureNamespace(refused, namespaces)).rejects.toThrow(
      /refuses to make it \(.+\): run "temporal operator namespace create --namespace x+ --retention 3d", or set TEMPORAL_DELIVERIES_NAMESPACE to default\./,
    )
    await refused.connection.close()
  })
})
