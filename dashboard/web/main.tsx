import { Title } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { KitProvider } from './kit-provider.tsx'

const root = document.querySelector('#app')
if (root)
  createRoot(root).render(
    <KitProvider>
      <Title order={1}>Reelgate</Title>
    </KitProvider>,
  )
