import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { KitProvider } from './kit-provider.tsx'
import { createQueryClient } from './query-client.ts'
import { router } from './router.tsx'
import { TimeZoneProvider } from './shell/time-zone.tsx'
import { documentLanguage, loadWords, WordsProvider } from './words/words.tsx'

const root = document.querySelector('#app')
if (root) {
  const language = documentLanguage()
  const words = await loadWords(language)
  createRoot(root).render(
    <WordsProvider initial={{ language, words }}>
      <KitProvider>
        <TimeZoneProvider>
          <QueryClientProvider client={createQueryClient()}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </TimeZoneProvider>
      </KitProvider>
    </WordsProvider>,
  )
}
