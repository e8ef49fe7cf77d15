import { chromium, type Browser } from 'playwright-core'
import type { DashboardDeps } from '../../../dashboard/server/deps.ts'
import { openDashboardFixture } from '../../fixtures/dashboard.ts'
import { loadBundledWeb } from '../../fixtures/web.ts'
import startTestServices from '../../infrastructure/global-setup.ts'
import { openParts } from '../../infrastructure/open-parts.ts'
import { headlessChromiumPath } from '../../infrastructure/services.ts'
import { fillAccounts } from './accounts.ts'
import type { Studio } from './pages.ts'
import { EMBED_BASE, makePosters } from './pictures.ts'

/** The dashboard with its accounts, and a browser. */
export interface OpenStudio extends Studio {
  browser: Browser
  close: () => Promise<void>
}

/** Starts the services, the dashboard with filled accounts, and a browser. */
export const openStudio = (deps: Partial<DashboardDeps> = {}): Promise<OpenStudio> =>
  openParts(async (parts) => {
    parts.defer(await startTestServices())
    const webRouter = await loadBundledWeb()
    const t = parts.adopt(
      await openDashboardFixture(() => ({ webRouter, embedBase: EMBED_BASE, ...deps })),
      (opened) => opened.close(),
    )
    const posters = await makePosters()
    const accounts = await fillAccounts(t)
    return { t, posters, accounts, browser: parts.adopt(await launch(), (it) => it.close()) }
  })

const launch = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await headlessChromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  })
