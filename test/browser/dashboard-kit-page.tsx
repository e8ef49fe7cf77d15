// A page with the parts of the UI kit that write styles: overlays, popovers and responsive props. At `#all`, all parts.
import {
  Box,
  Button,
  ColorInput,
  ColorPicker,
  Drawer,
  Menu,
  Modal,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
  Title,
  Tooltip,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { createRoot } from 'react-dom/client'
import { KitProvider } from '../../dashboard/web/kit-provider.tsx'
import { documentLanguage, loadWords, WordsProvider } from '../../dashboard/web/locales/words.tsx'
import { Gallery } from './dashboard-kit-gallery.tsx'

const COLOURS = ['Red', 'Green', 'Blue']

function Overlays() {
  const [isModalOpen, modal] = useDisclosure()
  const [isDrawerOpen, drawer] = useDisclosure()
  return (
    <>
      <Button onClick={modal.open}>Open modal</Button>
      <Button onClick={drawer.open}>Open drawer</Button>
      <Modal opened={isModalOpen} onClose={modal.close} title="A modal" closeButtonProps={CLOSE}>
        <Select label="Colour" data={COLOURS} />
      </Modal>
      <Drawer
        opened={isDrawerOpen}
        onClose={drawer.close}
        title="A drawer"
        closeButtonProps={CLOSE}
      >
        <TextInput label="Name" />
      </Drawer>
    </>
  )
}

const CLOSE = { 'aria-label': 'Close' }

const Kit = () => (
  <Stack component="main" p={{ base: 'xs', sm: 'xl' }}>
    <Title order={1}>Parts</Title>
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={{ base: 'xs', sm: 'md' }}>
      <Overlays />
      <Menu>
        <Menu.Target>
          <Button>Open menu</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item>First</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label="A tooltip">
        <Button>Hover</Button>
      </Tooltip>
      <ColorInput
        label="Accent"
        defaultValue="#147a66"
        swatches={['#147a66', '#5b5bd6']}
        eyeDropperButtonProps={{ 'aria-label': 'Pick a colour from the screen' }}
      />
      <ColorPicker defaultValue="#147a66" saturationLabel="Saturation" hueLabel="Hue" focusable />
    </SimpleGrid>
    <Box hiddenFrom="sm">Narrow</Box>
    <Box visibleFrom="sm">Wide</Box>
  </Stack>
)

async function show(root: Element): Promise<void> {
  const language = documentLanguage()
  const words = await loadWords(language)
  createRoot(root).render(
    <WordsProvider initial={{ language, words }}>
      <KitProvider>{location.hash === '#all' ? <Gallery /> : <Kit />}</KitProvider>
    </WordsProvider>,
  )
}

const root = document.querySelector('#app')
if (root) void show(root)
