import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { KitProvider } from './kit-provider.tsx'
import { areaWordsLoaded } from './locales/area-words.ts'
import { documentLanguage, loadWords, WordsProvider } from './locales/words.tsx'
import { queryClient, router } from './router.tsx'
import { TimeZoneProvider } from './shell/time-zone.tsx'

/** How long the first view waits for its page and for what its frame shows, so that it is drawn once. */
const FIRST_WAIT_MS = 300

/** Resolves when the page has its words and the data that its routes have begun to load, or has failed to load them. */
async function pageLoaded(): Promise<void> {
  await router.load()
  const data = queryClient.getQueryCache().getAll()
  await Promise.all([
    areaWordsLoaded(),
    Promise.allSettled(data.flatMap(({ promise }) => promise ?? [])),
  ])
}

const waited = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS))

// Without `await` at the top level: modules that are loaded on demand import this one.
async function start(root: Element): Promise<void> {
  const language = documentLanguage()
  const [words] = await Promise.all([loadWords(language), Promise.race([pageLoaded(), waited()])])
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
