import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureNginx } from '../../scripts/bootstrap/tools.mjs'
import { freePort } from '../../scripts/embedded/ports.ts'
import { stopProcess } from '../../scripts/service-process.ts'
import { untilItResponds, type ServerProcess } from '../../test/infrastructure/server-process.ts'

/**
 * Starts an nginx that serves the stored files of all videos below /media/, with sendfile, one worker,
 * keep-alive and no access log. `pid` is the worker's.
 */
export async function startNginx(
  objects: string,
  { folder, launcher }: { folder: string; launcher: string[] },
): Promise<ServerProcess> {
  const nginx = await ensureNginx()
  const home = join(folder, 'nginx')
  await mkdir(home, { recursive: true })
  const port = await freePort()
  const config = join(home, 'nginx.conf')
  await writeFile(config, configuration({ home, objects, port }))
  const logFile = join(home, 'error.log')
  const [program, ...args] = [...launcher, nginx, '-e', logFile]
  const child = spawn(program, [...args, '-p', home, '-c', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const baseUrl = `http://127.0.0.1:${port}`
  await untilItResponds(child, { name: 'nginx', baseUrl, logFile })
  return { baseUrl, pid: onlyChildOf(child.pid ?? 0), stop: () => stopProcess(child) }
}

const onlyChildOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

function configuration(paths: { home: string; objects: string; port: number }): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  // By default a worker under root switches to `nobody`, which cannot read root's folders.
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${join(paths.home, 'nginx.pid')};
events { worker_connections 512; }
http {
  ${temporary.map((name) => `${name}_temp_path ${join(paths.home, name)};`).join('\n  ')}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 65;
  keepalive_requests 100000000;
  types { video/mp4 mp4 m4s; }
  server {
    listen 127.0.0.1:${paths.port};
    location = /healthz { return 200; }
    location /media/ { alias ${join(paths.objects, 'videos')}/; }
  }
}
`
}
