import { QueryClientProvider } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { meQuery } from './api/me.ts'
import { overviewQuery } from './api/overview.ts'
import { KitProvider } from './kit-provider.tsx'
import { createQueryClient } from './query-client.ts'
import { router } from './router.tsx'
import { TimeZoneProvider } from './shell/time-zone.tsx'
import { areaWordsLoaded } from './words/area-words.ts'
import { documentLanguage, loadWords, WordsProvider } from './words/words.tsx'

/** How long the first view waits for its page and for what its frame shows, so that it is drawn once. */
const FIRST_WAIT_MS = 300

/** Asks for what the frame of every page shows; the page of the app has begun to load both answers. */
function askEarly(client: QueryClient): Promise<unknown> {
  const account = /^\/accounts\/([^/]+)/.exec(location.pathname)?.[1]
  if (account === undefined) return Promise.resolve()
  const queries = [
    client.prefetchQuery(meQuery(account)),
    client.prefetchQuery(overviewQuery(account)),
  ]
  return Promise.all(queries)
}

const waited = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS))

// Without `await` at the top level: modules that are loaded on demand import this one.
async function start(root: Element): Promise<void> {
  const language = documentLanguage()
  const queryClient = createQueryClient()
  const view = Promise.all([askEarly(queryClient), router.load().then(areaWordsLoaded)])
  const [words] = await Promise.all([loadWords(language), Promise.race([view, waited()])])
  createRoot(root).render(
    <WordsProvider initial={{ language, words }}>
      <KitProvider>
        <TimeZoneProvider>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </TimeZoneProvider>
      </KitProvider>
    </WordsProvider>,
  )
}

const root = document.querySelector('#app')
if (root) void start(root)
