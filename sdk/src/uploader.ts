// Defines <reelgate-uploader> where it is loaded, by a bundler or as a module script of a page.
import { defineUploader, ReelgateUploader } from './uploader/element.ts'

export { ReelgateUploader }
export type { GetUploadUrl } from './uploader/element.ts'
export type { UploaderTexts } from './uploader/texts.ts'
export type { UploaderState } from './uploader/view.ts'

if (globalThis.customElements) defineUploader()
