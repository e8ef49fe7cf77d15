import { Router } from 'express'
import type { RequestHandler } from 'express'
import { escapeHtml } from '../../domain/html.ts'
import { directionOf } from '../../domain/language.ts'
import type { Language } from '../../domain/language.ts'
import { chooseLanguage } from '../../pages/choose-language.ts'
import { IMMUTABLE, compressed } from '../../pages/static-files.ts'
import { APP_ENTRY, bundleWeb } from './bundle-web.ts'
import type { WebBundle } from './bundle-web.ts'
import { nonceOf } from './middleware/security-headers.ts'
import { ICON } from './pages/brand.ts'

/**
 * Bundles and compresses the app for the browser; runs once, when the dashboard starts. Returns a router with the
 * files of the app, and with its page at every address below `/accounts`: the app itself reads the address. The
 * page needs the middleware `securityHeaders`. `entry` is another app, for tests.
 */
export async function loadWeb(entry = APP_ENTRY): Promise<Router> {
  const bundle = await bundleWeb(entry)
  const router = Router()
  // Concurrently, so that zlib can use several cores.
  await Promise.all(
    bundle.files.map(async ({ path, type, body }) => {
      router.get(path, await compressed(body, { ...IMMUTABLE, 'Content-Type': type }))
    }),
  )
  return router.get('/accounts/{*page}', appPage(bundle))
}

const appPage =
  (bundle: WebBundle): RequestHandler =>
  (request, response) => {
    const html = appHtml(bundle, chooseLanguage(request), nonceOf(response))
    response.set('Vary', 'Accept-Language').type('html').send(html)
  }

function appHtml(bundle: WebBundle, language: Language, nonce: string): string {
  const [script = '', ...imports] = bundle.scriptPaths.map(escapeHtml)
  const preloads = imports.map((path) => `<link rel="modulepreload" href="${path}">`)
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="style-nonce" nonce="${nonce}">
<title>Reelgate</title>
<link rel="icon" href="${ICON}">
<script src="${escapeHtml(bundle.appearancePath)}"></script>
<link rel="stylesheet" href="${escapeHtml(bundle.stylePath)}">
${preloads.join('\n')}
<script type="module" src="${script}"></script>
</head>
<body><div id="app"></div></body>
</html>
`
}
