import { DirectionProvider, localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { PREFERENCES } from './preferences.ts'
import { styleNonce } from './style-nonce.ts'
import { theme, variables } from './theme.ts'
import './kit.css'

const colorSchemeManager = localStorageColorSchemeManager({ key: PREFERENCES.colorScheme })

/** What the components of Mantine need around them. The direction is that of the document. */
export const KitProvider = ({ children }: { children: ReactNode }) => (
  <DirectionProvider>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={styleNonce}
      deduplicateInlineStyles
    >
      {children}
    </MantineProvider>
  </DirectionProvider>
)
