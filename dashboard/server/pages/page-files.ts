import { readFile } from 'node:fs/promises'
import { Router } from 'express'
import { fontRouter } from '../../../http/pages/fonts.ts'
import { pageStyle } from '../../../http/pages/page-style.ts'
import {
  compressed,
  contentHash,
  IMMUTABLE,
  SCRIPT_TYPE,
  STYLE_TYPE,
} from '../../../http/pages/static-files.ts'

/** Addresses of the files of the pages. Each contains the hash of its content and never changes. */
export interface PageFiles {
  styleUrl: string
  signInScriptUrl: string
  welcomeScriptUrl: string
}

/** Reads and compresses the files of the pages. Runs once, when the dashboard starts. */
export async function loadPageFiles(): Promise<{ files: PageFiles; router: Router }> {
  const router = Router().use(fontRouter())
  const serve = async (name: string, extension: string, type: string): Promise<string> => {
    const file = new URL(`./${name}.${extension}`, import.meta.url)
    const body = await (type === STYLE_TYPE ? pageStyle(file) : readFile(file))
    const path = `/pages/${name}-${contentHash(body)}.${extension}`
    router.get(path, await compressed(body, { ...IMMUTABLE, 'Content-Type': type }))
    return path
  }
  const [styleUrl, signInScriptUrl, welcomeScriptUrl] = await Promise.all([
    serve('style', 'css', STYLE_TYPE),
    serve('sign-in', 'js', SCRIPT_TYPE),
    serve('welcome', 'js', SCRIPT_TYPE),
  ])
  return { files: { styleUrl, signInScriptUrl, welcomeScriptUrl }, router }
}
