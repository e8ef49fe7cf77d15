import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'

/** A page of another site, from which its users send files. */
export interface EndUserPage {
  origin: string
  /** The address of the page for one upload. It has a file input, and says in `document.title` how it ended. */
  addressFor(uploadUrl: string): string
  close(): Promise<void>
}

const PAGE = `<!doctype html><title>waiting</title><input type="file"><script type="module">
import { uploadFile } from '/upload.js'
document.querySelector('input').addEventListener('change', async ({ target }) => {
  document.title = 'sending'
  try {
    const uploadUrl = decodeURIComponent(location.hash.slice(1))
    const { videoId } = await uploadFile(target.files[0], { uploadUrl })
    document.title = 'sent ' + videoId
  } catch (error) {
    document.title = 'failed ' + error.code + ': ' + error.message
  }
})
</script>`

/** Serves the page, with the SDK's `uploadFile`, on a host name of its own. */
export async function openEndUserPage(): Promise<EndUserPage> {
  const { outputFiles } = await build({
    entryPoints: ['sdk/src/upload.ts'],
    bundle: true,
    write: false,
    format: 'esm',
  })
  const server = createServer((request, response) => {
    const isScript = request.url === '/upload.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? outputFiles[0]?.text : PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://site.localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    addressFor: (uploadUrl) => `${origin}/#${encodeURIComponent(uploadUrl)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
