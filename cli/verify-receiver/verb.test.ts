import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNetwork } from '../../test/infrastructure/test-network.ts'
import type { TestNetwork } from '../../test/infrastructure/test-network.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import { createSelfSigned } from '../../scripts/local-https/tls-authority.ts'
import { cliHarness, cliProcess } from '../../test/fixtures/cli.ts'
import type { Cli } from '../../test/fixtures/cli.ts'
import {
  listenerOf,
  receiver,
  verifyByHand,
  withServer,
} from '../../test/fixtures/webhook-receivers.ts'

interface Report {
  url: string
  grade: string
  ok: boolean
  checks: { id: string; status: string; got: string; expected: string; hint: string }[]
}

const secret = createWebhookSecret()
let network: TestNetwork
let folder: string
/** As a process, which reads its certificate authorities when it starts. */
let overTls: Cli

beforeAll(async () => {
  network = await startTestNetwork()
  folder = await mkdtemp(join(tmpdir(), 'reelgate-verify-'))
  const caPath = join(folder, 'ca.pem')
  await writeFile(caPath, network.authority.caPem)
  overTls = cliProcess({ DATABASE_URL: '', NODE_EXTRA_CA_CERTS: caPath })
})

afterAll(() => Promise.all([network.close(), rm(folder, { recursive: true })]))

const reelgate = cliHarness({ DATABASE_URL: '' })
const verify = (url: string, ...more: string[]) =>
  reelgate('verify-receiver', url, '--secret', secret, ...more)
const verifyOverTls = (url: string) => overTls('verify-receiver', url, '--secret', secret, '--json')
const isQuick = (checks: Report['checks']) =>
  checks.some(({ id, status }) => id === 'response-time' && status === 'held')
const right = (): RequestListener => listenerOf(receiver(), secret)

describe('reelgate verify-receiver', () => {
  it('grades a receiver over https, ends with 0 if it is correct, and never shows the secret', async () => {
    const { port } = await network.serveHttps(['localhost'], right())
    const run = await verifyOverTls(`https://localhost:${port}/in?key=hidden`)
    expect(run).toMatchObject({ status: 0, stderr: '' })
    const { checks, ...report } = run.json<Report>()
    expect(report).toMatchObject({ url: `https://localhost:${port}/in`, ok: true })
    // A busy machine may be slow.
    const others = checks.filter(({ id }) => id !== 'response-time')
    expect(others.filter(({ status }) => status !== 'held')).toEqual([])
    expect(report.grade).toBe(isQuick(checks) ? 'A' : 'B')
    expect(checks.find(({ id }) => id === 'certificate')).toMatchObject({ got: 'verified' })
    for (const hidden of [secret, secret.slice(6), 'hidden'])
      expect(run.stdout + run.stderr).not.toContain(hidden)
  })

  it('reports failures with advice and ends with 1', async () => {
    const verifyPast = verifyByHand({ ignoresFuture: true })
    await withServer(listenerOf(receiver({ verify: verifyPast }), secret), async ({ href }) => {
      const run = await verify(href)
      expect(run.status).toBe(1)
      expect(run.stderr).toContain('It breaks the contract: six-minutes-ahead.')
      expect(run.stdout).toContain('✓ must   good')
      expect(run.stdout).toMatch(
        /✗ must {3}six-minutes-ahead\n.*\n +expected: 400\n +received: +200\n +to do: +\S/,
      )
      expect(run.stdout).toMatch(/^Grade C for .*: \d+ held, \d failed, 1 skipped\.$/m)
      expect(run.stdout).not.toContain(secret)
    })
  })

  it('ends with 0 if no must fails', async () => {
    const handle = ({ type }: { type: string }) => ({ status: type.includes('lev') ? 500 : 200 })
    await withServer(listenerOf(receiver({ handle }), secret), async ({ href }) => {
      const run = await verify(href, '--events', 'video.ready,video.created', '--json')
      expect(run.status).toBe(0)
      expect(run.json<Report>()).toMatchObject({ grade: 'B', ok: true })
    })
  })

  it('reports that a certificate has expired, is for another host, or is self-signed', async () => {
    const { authority } = network
    const expired = { notAfter: new Date(Date.now() - 1000) }
    await Promise.all([
      expectRefused('CERT_HAS_EXPIRED', authority.issue(['localhost'], expired)),
      expectRefused('ERR_TLS_CERT_ALTNAME_INVALID', authority.issue(['other.test'])),
      expectRefused('DEPTH_ZERO_SELF_SIGNED_CERT', createSelfSigned(['localhost'])),
    ])
  })

  /** Verifies a host with this certificate. */
  async function expectRefused(code: string, pair: ReturnType<typeof createSelfSigned>) {
    const { port } = await network.serveTls(['localhost'], () => {}, await pair)
    const run = await verifyOverTls(`https://localhost:${port}/`)
    expect(run).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('It breaks the contract: good, certificate.'),
    })
    const { grade, checks } = run.json<Report>()
    expect(grade).toBe('F')
    expect(checks.find(({ id }) => id === 'certificate')?.got).toBe(`tls_error ${code}`)
  }

  it('reports that nothing listens', async () => {
    const run = await verify('http://127.0.0.1:1/')
    expect(run.status).toBe(1)
    expect(run.stdout).toContain('connection_refused ECONNREFUSED')
    expect(run.stdout).toContain('is it reachable from here?')
  })

  it.each([
    ['no URL', []],
    ['an invalid URL', ['hooks', '--secret', secret]],
    ['another scheme', ['ftp://127.0.0.1/', '--secret', secret]],
    ['a user name in the URL', ['http://a:b@127.0.0.1/', '--secret', secret]],
    ['no secret', ['http://127.0.0.1:1/']],
    ['an invalid secret', ['http://127.0.0.1:1/', '--secret', secret.slice(6)]],
    ['an unknown type', ['http://127.0.0.1:1/', '--secret', secret, '--events', 'video.gone']],
    ['an invalid timeout', ['http://127.0.0.1:1/', '--secret', secret, '--timeout-seconds', '0']],
  ])('ends with 2 for %s', async (_what, args) => {
    const run = await reelgate('verify-receiver', ...args)
    expect(run).toMatchObject({ status: 2, stdout: '' })
    expect(run.stderr).not.toBe('')
    expect(run.stderr).not.toContain(secret.slice(6))
  })
})
