import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { causeText, type FailureCause } from '../../domain/failure-causes.ts'
import { createSelfSigned } from '../../scripts/local-https/tls-authority.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import { cliHarness } from '../../test/fixtures/cli.ts'
import {
  listenerOf,
  receiver,
  verifyByHand,
  withServer,
} from '../../test/fixtures/webhook-receivers.ts'
import { startTestNetwork, type TestNetwork } from '../../test/infrastructure/test-network.ts'

interface Report {
  url: string
  grade: string
  ok: boolean
  checks: { id: string; status: string; got: string; expected: string; hint: string }[]
}

const secret = createWebhookSecret()
/** Such a server takes part in what others refuse. */
const WEAK = { ciphers: 'DEFAULT@SECLEVEL=0', minVersion: 'TLSv1' } as const
const authorities = getCACertificates('default')
let network: TestNetwork

beforeAll(async () => {
  network = await startTestNetwork()
  setDefaultCACertificates([...authorities, network.authority.caPem])
})

afterAll(async () => {
  setDefaultCACertificates(authorities)
  await network.close()
})

const reelgate = cliHarness({ DATABASE_URL: '' })
const verify = (url: string, ...more: string[]) =>
  reelgate('verify-receiver', url, '--secret', secret, ...more)
const verifyOverTls = (url: string) => verify(url, '--json')
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

  it('names cause and remedy of a TLS connection that fails', async () => {
    const { authority } = network
    const expired = { notAfter: new Date(Date.now() - 1000) }
    const pair = await authority.issue(['localhost'])
    const weak = { ...(await authority.issue(['localhost'], { rsaBits: 1024 })), ...WEAK }
    await Promise.all([
      expectRefused('certificate_expired', await authority.issue(['localhost'], expired)),
      expectRefused('certificate_wrong_host', await authority.issue(['other.test'])),
      expectRefused('certificate_self_signed', await createSelfSigned(['localhost'])),
      expectRefused(
        'certificate_chain_incomplete',
        await (await authority.issueAuthority()).issue(['localhost']),
      ),
      expectRefused('certificate_too_weak', weak),
      expectRefused('tls_version_too_old', { ...pair, ...WEAK, maxVersion: 'TLSv1.1' }),
      expectRefused('http2_only', { ...pair, ALPNProtocols: ['h2'] }),
    ])
  }, 60_000)

  it('names cause and remedy of a connection that fails later', async () => {
    const { authority } = network
    const pair = await authority.issue(['localhost'])
    const asking = { ...pair, requestCert: true, ca: authority.caPem }
    const say = (bytes: string) => (socket: Socket) =>
      void socket.once('data', () => socket.end(bytes))
    const ok = 'HTTP/1.1 200 OK'
    const two = `${ok}\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab`
    await Promise.all([
      expectNoResponse('client_certificate_required', say(ok), asking),
      expectNoResponse('http_line_feeds', say(`${ok}\ncontent-length: 0\n\n`), pair),
      expectNoResponse('http_length_ambiguous', say(two), pair),
      expectNoResponse('http_headers_too_large', say(`${ok}\r\nx: ${'a'.repeat(200_000)}`), pair),
      expectNoResponse('http2_only', say('\0\0\0\x04\0\0\0\0\0'), pair),
    ])
  }, 60_000)

  type Pair = Awaited<ReturnType<typeof createSelfSigned>> & TlsOptions

  const verifyServer = async (pair: Pair, behaviour: (socket: Socket) => void = () => {}) => {
    const { port } = await network.serveTls(['localhost'], behaviour, pair)
    return verifyOverTls(`https://localhost:${port}/`)
  }

  /** Expects that the TLS connection fails because of this. */
  async function expectRefused(cause: FailureCause, pair: Pair) {
    const run = await verifyServer(pair)
    expect(run).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('It breaks the contract: good, certificate.'),
    })
    const { grade, checks } = run.json<Report>()
    expect(grade).toBe('F')
    expect(checks.find(({ id }) => id === 'certificate')).toMatchObject({
      got: expect.stringMatching(/^tls_error [A-Z_/\d]+$/),
      note: causeText(cause),
    })
  }

  /** Expects that there is no response because of this. */
  async function expectNoResponse(
    cause: FailureCause,
    behaviour: (socket: Socket) => void,
    pair: Pair,
  ) {
    const { checks } = (await verifyServer(pair, behaviour)).json<Report>()
    expect(checks.find(({ id }) => id === 'good')).toMatchObject({ note: causeText(cause) })
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
