import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { ensureCaddy, ensureNginx } from '../../scripts/bootstrap/tools.mjs'
import { freePort, isPortFree } from '../../scripts/embedded/ports.ts'
import { createAuthority } from '../../scripts/local-https/tls-authority.ts'
import { waitFor } from '../infrastructure/wait-for.ts'

/** A proxy in front of the API, with TLS and otherwise the settings that it has by default. */
export interface FrontProxy {
  name: string
  port: number
  stop(): Promise<void>
}

interface Front {
  folder: string
  host: string
  apiPort: number
}

interface Files {
  cert: string
  key: string
}

/** Starts Caddy, which speaks HTTP/2 and passes bodies on while they arrive. */
export async function startCaddy(front: Front): Promise<FrontProxy> {
  const { cert, key } = await writeCertificate(front)
  const port = await freePort()
  const config = join(front.folder, 'Caddyfile')
  await writeFile(
    config,
    `{
  admin off
  auto_https off
}
https://${front.host}:${port} {
  tls ${cert} ${key}
  reverse_proxy 127.0.0.1:${front.apiPort}
}
`,
  )
  const program = await ensureCaddy()
  return run('Caddy', port, program, ['run', '--config', config, '--adapter', 'caddyfile'])
}

/** Starts nginx, which takes bodies of 1 MB, and writes them to its disk before it passes them on. */
export async function startNginx(front: Front): Promise<FrontProxy> {
  const { cert, key } = await writeCertificate(front)
  const port = await freePort()
  const config = join(front.folder, 'nginx.conf')
  // Its workers, which keep bodies there, are of another user when root starts it.
  await chmod(front.folder, 0o711)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${join(front.folder, name)};`)
    .join('\n')
  await writeFile(
    config,
    `daemon off;
pid ${join(front.folder, 'nginx.pid')};
error_log stderr;
events {}
http {
  access_log off;
${temporary}
  server {
    listen 127.0.0.1:${port} ssl http2;
    server_name ${front.host};
    ssl_certificate ${cert};
    ssl_certificate_key ${key};
    location / {
      proxy_pass http://127.0.0.1:${front.apiPort};
    }
  }
}
`,
  )
  return run('nginx', port, await ensureNginx(), ['-c', config, '-e', 'stderr'])
}

async function writeCertificate({ folder, host }: Front): Promise<Files> {
  const authority = await createAuthority()
  const issued = await authority.issue([host])
  const files = { cert: join(folder, 'front.pem'), key: join(folder, 'front.key') }
  await writeFile(files.cert, issued.cert)
  await writeFile(files.key, issued.key, { mode: 0o600 })
  return files
}

async function run(
  name: string,
  port: number,
  program: string,
  args: string[],
): Promise<FrontProxy> {
  const child = execa(program, args, { reject: false, all: true })
  await waitFor(name, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${(await child).all}`)
    return !(await isPortFree({ port }))
  })
  return {
    name,
    port,
    async stop() {
      child.kill('SIGTERM')
      await child
    },
  }
}
