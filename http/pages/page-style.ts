import { readFile } from 'node:fs/promises'
import { DESIGN_STYLE } from './design-style.ts'

/** Reads the style of pages without an app: the design language, what all of them share, then their own. */
export async function pageStyle(own: URL): Promise<Buffer> {
  const base = new URL('./base.css', import.meta.url)
  const sheets = await Promise.all([base, own].map((file) => readFile(file)))
  return Buffer.concat([Buffer.from(DESIGN_STYLE), ...sheets])
}
