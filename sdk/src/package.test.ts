import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signViewerToken as signOnServer } from '../../security/tokens/viewer-token.ts'
import { webhookHeaders } from '../../security/webhook-signature.ts'
import {
  packSdk,
  projectFolder,
  readmeExamples,
  type PackedSdk,
} from '../../test/fixtures/packed-sdk.ts'
import { setUpSdkFixture } from '../../test/fixtures/sdk.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'

const t = setUpSdkFixture()
// The behaviour of Node before 22.12, and of test runners.
const NO_REQUIRE_ESM = '--no-experimental-require-module'
let packed: PackedSdk

// Only the globals that every edge runtime has (the Minimum Common Web API).
const EDGE_GLOBALS = {
  fetch,
  Request,
  Response,
  Headers,
  FormData,
  Blob,
  URL,
  URLSearchParams,
  AbortController,
  AbortSignal,
  DOMException,
  ReadableStream,
  crypto,
  performance,
  TextEncoder,
  TextDecoder,
  atob,
  btoa,
  setTimeout,
  clearTimeout,
}

beforeAll(async () => {
  packed = await packSdk()
})

afterAll(() => packed.remove())

const CLIENT = `import { Reelgate, ReelgateError, type Video } from '@reelgate/sdk'
  const reelgate = new Reelgate({ apiKey: 'k', baseUrl: 'https://api.example.com' })
  export const title = async (id: string): Promise<string> => {
    const video: Video = await reelgate.videos.get(id)
    // @ts-expect-error It is a number: the types exist and are not any.
    const size: string = video.size_bytes
    return video.title + size
  }
  export const isOurs = (error: unknown): boolean => error instanceof ReelgateError`

const PLAYERS = `import { createElement, createRef } from 'react'
  import { h } from 'vue'
  import { ReelgateUploader, ReelgateVideo, type ReelgateVideoElement } from '@reelgate/sdk/react'
  import { uploadFile } from '@reelgate/sdk/upload'
  import '@reelgate/sdk/uploader'
  import { ReelgateUploader as UploaderInVue, ReelgateVideo as InVue } from '@reelgate/sdk/vue'
  const ref = createRef<ReelgateVideoElement>()
  const src = 'https://play.example/x/MQ=='
  createElement(ReelgateVideo, { ref, src, onTimeUpdate: ({ detail }) => detail.currentTime.toFixed() })
  h(InVue, { src, onTimeupdate: ({ detail }) => detail.currentTime.toFixed() })
  createElement(ReelgateUploader, { endpoint: '/x', onComplete: ({ detail }) => detail.videoId.trim() })
  h(UploaderInVue, { endpoint: '/x', onComplete: ({ detail }) => detail.videoId.trim() })
  export const send = async (file: File): Promise<string> =>
    (await uploadFile(file, { uploadUrl: 'https://x', onProgress: ({ sentBytes }) => sentBytes.toFixed() })).videoId
  // @ts-expect-error
  uploadFile(7, { uploadUrl: 'https://x' })
  // @ts-expect-error
  createElement(ReelgateUploader, { endpoint: 7 })
  export const seek = (): Promise<{ paused: boolean }> | undefined => ref.current?.seek(3)
  // @ts-expect-error
  createElement(ReelgateVideo, { src: 7 })
  // @ts-expect-error
  h(InVue, { src: 7 })`

const WRONG = `import { Reelgate } from '@reelgate/sdk'
  await new Reelgate({ apiKey: '', baseUrl: '' }).videos.create({ title: 7 })`

/** What the compiler reports, once for each module resolution: most of its work is the same for all files. */
const checked = {
  node16: once(async () =>
    packed.typeCheck({
      'module.ts': CLIENT,
      'script.cts': CLIENT,
      'examples.ts': await readmeExamples(),
      'wrong.ts': WRONG,
    }),
  ),
  bundler: once(() => packed.typeCheck({ 'module.ts': CLIENT, 'players.ts': PLAYERS }, 'bundler')),
  node10: once(() => packed.typeCheck({ 'module.ts': CLIENT }, 'node10')),
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

describe('the package', () => {
  it('contains all files that it needs, and no tests', () => {
    for (const name of ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts'])
      expect(packed.files).toContain(name)
    expect(packed.files.filter((name) => /test|\.map$|(?<!\.d)\.ts$/.test(name))).toEqual([])
  })

  it('works in plain Node', async () => {
    const code = `
      import { Reelgate } from '@reelgate/sdk'
      const reelgate = new Reelgate({ apiKey: process.env.KEY, baseUrl: process.env.BASE })
      const { id } = await reelgate.videos.create({ source_url: process.env.SOURCE_URL })
      console.log((await reelgate.videos.get(id)).status)`
    const env = { KEY: t.api.ours.key, BASE: t.front.url, SOURCE_URL: t.api.sourceUrl() }
    expect(await packed.runInNode(code, env)).toBe('queued\n')
  })

  it('works in CommonJS, without require of an ES module', async () => {
    const code = `
      const { Reelgate, ReelgateError } = require('@reelgate/sdk')
      const reelgate = new Reelgate({ apiKey: process.env.KEY, baseUrl: process.env.BASE })
      reelgate.account.get().then(({ object }) => console.log(object))
        .then(() => reelgate.videos.get('x'))
        .catch((error) => console.log(error instanceof ReelgateError, error.code))`
    const env = { KEY: t.api.ours.key, BASE: t.front.url, NODE_OPTIONS: NO_REQUIRE_ESM }
    expect(await packed.runInNode(code, env, 'commonjs')).toBe('account\ntrue video_not_found\n')
    expect(packed.files).toContain('dist/cjs/THIRD-PARTY-LICENSES.txt')
  })

  it('has the right types for every module resolution of TypeScript', async () => {
    const checked = await checkPackage(createPackageFromTarballData(packed.tarball))
    expect(checked).toMatchObject({ types: { kind: 'included' } })
    expect('problems' in checked && checked.problems).toEqual([])
  })

  const projects = [
    ['bundler', 'bundler', 'module.ts'],
    ['node16-esm', 'node16', 'module.ts'],
    ['node16-cjs', 'node16', 'script.cts'],
    ['node10', 'node10', 'module.ts'],
  ] as const
  it.each(someOf(projects, 4))(
    'type checks in a %s project',
    async (_title, mode, file) => {
      expect((await checked[mode]())[file]).toBe('')
    },
    180_000,
  )

  it('renders the player on a server, with React and with Vue, as the same plain HTML', async () => {
    const video = `{ src: 'https://play.example/x/MQ==?vt=a&b', title: 'A "lesson"', start: 12, muted: true,
      script: 'https://play.example/embed.js', loop: false }`
    const react = `
      import { createElement } from 'react'
      import { renderToString } from 'react-dom/server'
      import { ReelgateVideo } from '@reelgate/sdk/react'
      const video = { ...${video}, className: 'wide', onReady() {} }
      console.log(renderToString(createElement(ReelgateVideo, video, 'Wait')))`
    const vue = `
      import { createSSRApp, h } from 'vue'
      import { renderToString } from 'vue/server-renderer'
      import { ReelgateVideo } from '@reelgate/sdk/vue'
      const video = { ...${video}, class: 'wide', onReady() {} }
      console.log(await renderToString(createSSRApp({ render: () => h(ReelgateVideo, video, () => 'Wait') })))`
    const attributes = async (code: string) => {
      const html = (await packed.runInNode(code, {})).trim()
      const [, tag = '', content] = /^<reelgate-video ([^>]*)>(.*)<\/reelgate-video>$/.exec(
        html.replaceAll(/<!--.*?-->/g, ''),
      ) ?? [html]
      expect(content).toBe('Wait')
      return [...tag.matchAll(/([\w-]+)(="[^"]*")?/g)]
        .map(([, name, value]) => name + (value ?? '=""'))
        .toSorted()
    }
    const expected = [
      'class="wide"',
      'muted=""',
      'src="https://play.example/x/MQ==?vt=a&amp;b"',
      'start="12"',
      'title="A &quot;lesson&quot;"',
    ]
    expect(await attributes(react)).toEqual(expected)
    expect(await attributes(vue)).toEqual(expected)
    const required = `
      const { ReelgateVideo } = require('@reelgate/sdk/react')
      console.log(ReelgateVideo.displayName, require('@reelgate/sdk/vue').ReelgateVideo.name)`
    const noModules = { NODE_OPTIONS: NO_REQUIRE_ESM }
    expect(await packed.runInNode(required, noModules, 'commonjs')).toBe(
      'ReelgateVideo ReelgateVideo\n',
    )
  })

  it('sends a file from a page or a script that has only the address of an upload', async () => {
    const { upload_url: address } = await t.reelgate.uploads.create({
      filename: 'a.mp4',
      size_bytes: 3,
    })
    const send = `uploadFile(new Blob(['abc']), { uploadUrl: process.env.ADDRESS })
      .then(({ videoId }) => console.log(videoId.length))`
    const env = { ADDRESS: String(address) }
    const module = `import { uploadFile } from '@reelgate/sdk/upload'; ${send}`
    expect(await packed.runInNode(module, env)).toBe('20\n')
    const required = `const { uploadFile } = require('@reelgate/sdk/upload'); ${send}`
    const noModules = { ...env, NODE_OPTIONS: NO_REQUIRE_ESM }
    expect(await packed.runInNode(required, noModules, 'commonjs')).toBe('20\n')
  })

  it('has an uploader that a page loads without a bundler, and that a server renders', async () => {
    // Browsers resolve no names of packages.
    const names = await packed.runInNode(
      `import { readFile } from 'node:fs/promises'
      const seen = new Set()
      const walk = async (url) => {
        if (seen.has(url.href)) return
        seen.add(url.href)
        for (const [, name] of (await readFile(url, 'utf8')).matchAll(/(?:from|import) '([^']+)'/g))
          name.startsWith('.') ? await walk(new URL(name, url)) : console.log(name)
      }
      await walk(new URL(import.meta.resolve('@reelgate/sdk/uploader')))
      console.log(seen.size > 8)`,
      {},
    )
    expect(names).toBe('true\n')
    const react = `
      import { createElement } from 'react'
      import { renderToString } from 'react-dom/server'
      import { ReelgateUploader } from '@reelgate/sdk/react'
      import '@reelgate/sdk/uploader'
      const props = { endpoint: '/x', getUploadUrl: () => '', onComplete() {} }
      console.log(renderToString(createElement(ReelgateUploader, props)))`
    const vue = `
      import { createSSRApp, h } from 'vue'
      import { renderToString } from 'vue/server-renderer'
      import { ReelgateUploader } from '@reelgate/sdk/vue'
      const props = { endpoint: '/x', getUploadUrl: () => '', onComplete() {} }
      console.log(await renderToString(createSSRApp({ render: () => h(ReelgateUploader, props) })))`
    const expected = '<reelgate-uploader endpoint="/x"></reelgate-uploader>\n'
    expect([await packed.runInNode(react, {}), await packed.runInNode(vue, {})]).toEqual([
      expected,
      expected,
    ])
  })

  it('has types for the player and the uploader in React and Vue', async () => {
    expect((await checked.bundler())['players.ts']).toBe('')
  }, 180_000)

  it('works without Node', async () => {
    const context = createContext({ ...EDGE_GLOBALS })
    expect(runInContext('typeof process + typeof Buffer + typeof require', context)).toBe(
      'undefined'.repeat(3),
    )
    const script = await packed.bundleForEdge()
    const sdk = runInContext(`${script};sdk`, context) as typeof import('./index.ts')
    const reelgate = new sdk.Reelgate({ apiKey: t.api.ours.key, baseUrl: t.front.url })
    t.front.failNext('lose-response')
    const { id } = await reelgate.videos.create({ source_url: t.api.sourceUrl() })
    expect((await reelgate.videos.get(id)).status).toBe('queued')
    await expect(reelgate.videos.get('x')).rejects.toMatchObject({ code: 'video_not_found' })

    const signingSecret = 'ab'.repeat(32)
    const expiresAtSeconds = Math.floor(Date.now() / 1000) + 90
    const expiresAt = new Date(expiresAtSeconds * 1000)
    const viewerId = 'zoë'
    expect(await sdk.signViewerToken({ viewerId, expiresAt, signingSecret })).toBe(
      signOnServer({ viewerId, expiresAtSeconds }, signingSecret),
    )

    const body = '{"id":"evt_1","type":"webhook.test","created_at":"2026-01-01","data":{}}'
    const delivery = { deliveryId: 1, eventId: 'evt_1', eventType: 'webhook.test', body }
    const nowSeconds = Math.floor(Date.now() / 1000)
    const header = webhookHeaders({ ...delivery, secrets: ['whsec_1'], nowSeconds })[
      'Service-Signature'
    ]
    expect((await sdk.verifyWebhook(body, header, 'whsec_1')).id).toBe('evt_1')
    await expect(sdk.verifyWebhook(body, header, 'whsec_2')).rejects.toMatchObject({
      code: 'signature_mismatch',
    })
  })

  it('has examples and declarations that type check', async () => {
    const { 'examples.ts': examples, 'wrong.ts': wrong } = await checked.node16()
    expect(examples).toBe('')
    expect(wrong).toContain('TS2322')
  }, 180_000)

  it('uses only Web APIs', async () => {
    const folder = join(projectFolder, 'sdk/src')
    const names = (await readdir(folder, { recursive: true })).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    )
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      if (name === 'schema.ts') continue
      const text = await readFile(join(folder, name), 'utf8')
      expect([name, text.match(/'node:|\b(Buffer|process|require|__dirname)\b[.(]/g)]).toEqual([
        name,
        null,
      ])
    }
  })
})
