// The anchor of uploads: `@tus/server` with `@tus/file-store`, as its manual shows them, which writes plain files. Arguments: port,
// folder.
import { createServer } from 'node:http'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'

const [port = '', directory = ''] = process.argv.slice(2)
const tus = new Server({ path: '/files', datastore: new FileStore({ directory }) })

createServer((request, response) => {
  if (request.url === '/healthz') return void response.end('{"status":"ok"}')
  void tus.handle(request, response)
}).listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
