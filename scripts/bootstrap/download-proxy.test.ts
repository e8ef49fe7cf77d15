import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSelfSigned } from '../local-https/tls-authority.ts'
import { inheritedEnvironment, pinnedNode, projectDir } from './tools.mjs'

const HOST = 'releases.example'
const body = Buffer.alloc(300_000, 'x')
const sha256 = createHash('sha256').update(body).digest('hex')
const folder = mkdtempSync(join(tmpdir(), 'proxy-test-'))
const certificate = join(folder, 'certificate.pem')
const file = join(folder, 'file')
let origin: Server
let proxy: Server
let tunnels: string[]

const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  const { key, cert } = await createSelfSigned([HOST])
  writeFileSync(certificate, cert)
  origin = createHttpsServer({ key, cert }, (_, response) => response.end(body))
  await once(origin.listen(0, '127.0.0.1'), 'listening')
  // Its name resolves nowhere: only the proxy knows where the origin is.
  proxy = createHttpServer().on('connect', (request, socket) => {
    tunnels.push(request.url ?? '')
    const upstream = connect(portOf(origin), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    socket.on('error', () => upstream.destroy())
    upstream.on('error', () => socket.destroy())
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
})
beforeEach(() => {
  tunnels = []
  rmSync(file, { force: true })
})
afterAll(() => {
  origin.close()
  proxy.close()
  rmSync(folder, { recursive: true })
})

/** Downloads the file in a process behind the proxy; `before` runs first. Returns its error, or ''. */
async function downloadBehindProxy(before: string, env: Record<string, string> = {}) {
  const script = `
    import http from 'node:http'
    ${before}
    const { download } = await import('./scripts/bootstrap/download.mjs')
    await download('https://${HOST}/file', ${JSON.stringify(file)}, { sha256: '${sha256}' })
      .catch(({ message }) => console.log(message))`
  const { stdout } = await promisify(execFile)(pinnedNode, ['--input-type=module', '-e', script], {
    cwd: projectDir,
    env: {
      PATH: inheritedEnvironment().PATH,
      HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
      NODE_EXTRA_CA_CERTS: certificate,
      CURL_CA_BUNDLE: certificate,
      ...env,
    },
  })
  return stdout.trim()
}

const OLDER_NODE = 'delete http.setGlobalProxyFromEnv'

describe('a download behind a proxy', () => {
  it.each([
    ['Node, which can read the proxy of the environment', '', {}],
    ['a Node that was started with NODE_USE_ENV_PROXY', OLDER_NODE, { NODE_USE_ENV_PROXY: '1' }],
    ['curl, if this Node cannot use a proxy', OLDER_NODE, {}],
  ])('passes through the proxy with %s', async (_, before, env) => {
    expect(await downloadBehindProxy(before, env)).toBe('')
    expect(readFileSync(file).equals(body)).toBe(true)
    expect(tunnels).toEqual([`${HOST}:443`])
  })

  it('advises what to install where neither Node nor curl can do it', async () => {
    expect(await downloadBehindProxy(OLDER_NODE, { PATH: folder })).toMatch(
      /does not use the proxy of the environment\. Install curl or Node 24, then run this again\.$/,
    )
    expect(tunnels).toEqual([])
  })
})
