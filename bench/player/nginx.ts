import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureNginx } from '../../scripts/bootstrap/tools.mjs'
import { freePort } from '../../scripts/embedded/ports.ts'
import { stopProcess } from '../../scripts/service-process.ts'
import { untilItAnswers } from '../../test/infrastructure/server-process.ts'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'

/**
 * Starts an nginx of its own that serves the stored files of all videos below /media/: sendfile on,
 * one worker, keep-alive, no access log. The `pid` is that of the worker, which does the work.
 */
export async function startNginx(
  objects: string,
  { folder, launcher }: { folder: string; launcher: string[] },
): Promise<ServerProcess> {
  const nginx = await ensureNginx()
  const own = join(folder, 'nginx')
  await mkdir(own, { recursive: true })
  const port = await freePort()
  const config = join(own, 'nginx.conf')
  await writeFile(config, configuration({ own, objects, port }))
  const logFile = join(own, 'error.log')
  const [program, ...args] = [...launcher, nginx, '-e', logFile]
  const child = spawn(program, [...args, '-p', own, '-c', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const baseUrl = `http://127.0.0.1:${port}`
  await untilItAnswers(child, { name: 'nginx', baseUrl, logFile })
  return { baseUrl, pid: onlyChildOf(child.pid ?? 0), stop: () => stopProcess(child) }
}

const onlyChildOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

function configuration(at: { own: string; objects: string; port: number }): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  // A worker of root would become `nobody`, who may not read a folder of root's.
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${join(at.own, 'nginx.pid')};
events { worker_connections 512; }
http {
  ${temporary.map((name) => `${name}_temp_path ${join(at.own, name)};`).join('\n  ')}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 65;
  keepalive_requests 100000000;
  types { video/mp4 mp4 m4s; }
  server {
    listen 127.0.0.1:${at.port};
    location = /healthz { return 200; }
    location /media/ { alias ${join(at.objects, 'videos')}/; }
  }
}
`
}
