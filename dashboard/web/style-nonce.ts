import { setNonce } from 'get-nonce'

/** The attribute reads empty under a policy; the property does not. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.nonce ?? ''

// The scroll lock of dialogs (react-remove-scroll) writes a style element of its own.
setNonce(nonce)

/** The nonce that the page's policy asks of style elements. */
export const styleNonce = (): string => nonce
