import { Modal, type ModalProps, type ModalRootProps } from '@mantine/core'
import { useWords } from '../../locales/words.tsx'
import { useReturnedFocus } from '../focus/returned-focus.ts'

/** A dialog. Mount it only while it is open; when it closes, the focus returns to what opened it. */
export function Dialog(props: ModalProps) {
  const { parts } = useWords()
  useReturnedFocus()
  return <Modal closeButtonProps={{ 'aria-label': parts.close }} {...props} />
}

function Root(props: ModalRootProps) {
  useReturnedFocus()
  return <Modal.Root {...props} />
}

Dialog.Root = Root
Dialog.Overlay = Modal.Overlay
Dialog.Content = Modal.Content
