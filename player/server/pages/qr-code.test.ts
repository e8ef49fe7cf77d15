import decodeQR from 'qr/decode.js'
import { describe, expect, it } from 'vitest'
import { qrCode } from './qr-code.ts'

/** Renders the code for a decoder, with four pixels a module. */
function paint(svg: string) {
  const scale = 4
  const modules = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const size = modules * scale
  const data = new Uint8Array(size * size * 3).fill(255)
  const [, dark = ''] = /fill="#000" d="([^"]*)"/.exec(svg) ?? []
  for (const [, x, y, length] of dark.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const from = (row * size + Number(x) * scale) * 3
      data.fill(0, from, from + Number(length) * scale * 3)
    }
  return { width: size, height: size, data }
}

describe('a QR code of a page', () => {
  it.each([
    'https://store.example/app',
    'https://play.google.com/store/apps/details?id=com.example.player&hl=pt-PT',
    `https://store.example/${'a'.repeat(500)}`,
  ])('reads as %s', (content) => {
    expect(decodeQR(paint(qrCode(content)))).toBe(content)
  })

  it('is markup that the policy of the pages allows, for any content', () => {
    expect(qrCode('https://x.example/"><script>')).not.toMatch(/<script|style=|data:|href/)
  })
})
