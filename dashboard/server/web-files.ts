import { Router, type RequestHandler } from 'express'
import { escapeHtml } from '../../domain/html.ts'
import { directionOf, type Language } from '../../domain/language.ts'
import { chooseLanguage } from '../../http/pages/choose-language.ts'
import { fontPreloads } from '../../http/pages/fonts.ts'
import {
  compress,
  IMMUTABLE,
  sendEncoded,
  type EncodedText,
} from '../../http/pages/static-files.ts'
import { prebuilt } from '../../processes/prebuilt.ts'
import { APP_ENTRY, bundleWeb, type WebBundle } from './bundle-web.ts'
import { allowScript, nonceOf, scriptHash } from './middleware/security-headers.ts'
import { NO_SCRIPT } from './no-script.ts'
import { ICON } from './pages/brand.ts'

/** What the page of the app loads. */
type AppPaths = Pick<WebBundle, 'scriptPaths' | 'stylePath' | 'appearance' | 'routes'>

/** The app for the browser, bundled and compressed. */
export interface PreparedWeb extends AppPaths {
  files: { path: string; type: string; text: EncodedText }[]
}

/** Bundles and compresses the app for the browser. `entry` is another app, for tests. */
export async function prepareWeb(entry = APP_ENTRY): Promise<PreparedWeb> {
  const { files, ...paths } = await bundleWeb(entry)
  // Concurrently, so that zlib can use several cores.
  const compressed = files.map(async ({ path, type, body }) => ({
    path,
    type,
    text: await compress(body),
  }))
  return { files: await Promise.all(compressed), ...paths }
}

/**
 * Returns a router with the files of the app, and with its page at every address below `/accounts`: the app itself
 * reads the address. The page needs the middleware `securityHeaders`.
 */
export function webRouter({ files, ...paths }: PreparedWeb): Router {
  const router = Router()
  for (const { path, type, text } of files)
    router.get(path, sendEncoded(text, { ...IMMUTABLE, 'Content-Type': type }))
  return router.get('/accounts/{*page}', appPage(paths))
}

/** The app as `folder` (PREBUILT_DIR) has it, or prepared now; runs once, when the dashboard starts. */
export const loadWeb = async (folder: string): Promise<Router> =>
  webRouter(await prebuilt(folder, 'dashboard-app', prepareWeb))

function appPage(bundle: AppPaths): RequestHandler {
  const hash = scriptHash(bundle.appearance)
  return (request, response) => {
    const language = chooseLanguage(request)
    const account = /^\/accounts\/(\d+)(?:\/|$)/.exec(request.path)?.[1]
    const html = appHtml(bundle, {
      language,
      account,
      path: request.path,
      nonce: nonceOf(response),
    })
    allowScript(response, hash)
    response.set('Vary', 'Accept-Language').type('html').send(html)
  }
}

interface Page {
  language: Language
  /** The account of the address. */
  account: string | undefined
  path: string
  nonce: string
}

/** What the app needs before its first view, so that all of it loads at the same time: first what runs while the server reads. */
function preloads({ scriptPaths, routes }: AppPaths, { language, account, path }: Page): string[] {
  const sources = [`locales/${language}.ts`, ...sourcesOf(path, language)]
  const further = sources.flatMap((source) => routes.get(`dashboard/web/${source}`) ?? [])
  const scripts = new Set([...scriptPaths, ...further])
  const responses = account === undefined ? [] : ['me', 'overview']
  return [
    ...[...scripts].map((path) => `<link rel="modulepreload" href="${escapeHtml(path)}">`),
    ...responses.map(
      (name) =>
        `<link rel="preload" as="fetch" crossorigin href="/api/accounts/${account}/${name}">`,
    ),
  ]
}

/**
 * The modules that a page and its words are likely to be in, by its address: without them here, the page loads after the
 * entry, its words after the page, and its data after both. A module that does not exist is left out.
 */
function sourcesOf(path: string, language: Language): string[] {
  const [, area = 'overview', page = area] =
    /^\/accounts\/\d+(?:\/([a-z]+)(?:\/([a-z-]+)(?=\/|$))?)?/.exec(path) ?? []
  const folder = `pages/${area}`
  const names = [`${area}-frame`, `${page}-page`, `${page}/${page}-page`]
  const words = [folder, `${folder}/${page}`].map((path) => `${path}/locales/${language}.ts`)
  return [...names.map((name) => `${folder}/${name}.tsx`), ...words]
}

function appHtml(bundle: AppPaths, page: Page): string {
  const { language, nonce } = page
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="style-nonce" nonce="${nonce}">
<title>Reelgate</title>
<link rel="icon" href="${ICON}">
${preloads(bundle, page).join('\n')}
<script>${bundle.appearance}</script>
<link rel="stylesheet" href="${escapeHtml(bundle.stylePath)}">
${fontPreloads(language)}<script type="module" src="${escapeHtml(bundle.scriptPaths[0] ?? '')}"></script>
</head>
<body><div id="app"></div>
<noscript><main><h1>Reelgate</h1><p>${escapeHtml(NO_SCRIPT[language])}</p></main></noscript></body>
</html>
`
}
