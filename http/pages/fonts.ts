import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import { faceRule, FACES } from '../../design/faces.ts'
import type { Language } from '../../domain/language.ts'
import { contentHash, IMMUTABLE } from './static-files.ts'

/** The files of the design language's faces, with addresses that contain the hash of their content. Read once in a process. */
const files = FACES.map((face) => {
  const body = readFileSync(fileURLToPath(import.meta.resolve(face.module)))
  return { face, body, url: `/fonts/${face.name}-${contentHash(body)}.woff2` }
})

/** The rules of all faces, for the style of a page. */
export const FONT_RULES = files.map(({ face, url }) => faceRule(face, url)).join('')

/** A sandboxed frame has no origin, but its pages have the same face. */
const HEADERS = {
  ...IMMUTABLE,
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Returns a router that sends the files. */
export function fontRouter(): Router {
  const router = Router()
  for (const { url, body } of files)
    router.get(url, (_request, response) => void response.set(HEADERS).type('woff2').send(body))
  return router
}

/** Returns the elements of a head that load the faces of a language at the same time as the style. */
export const fontPreloads = (language: Language): string =>
  files
    .filter(({ face }) => face.languages.includes(language))
    .map(
      ({ url }) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${url}">\n`,
    )
    .join('')
