import encodeQR from 'qr'

/** Empty modules around the code (ISO/IEC 18004). */
const QUIET_ZONE = 4

/**
 * Renders a QR code as inline SVG, because the pages' policy allows no images. It is black on white in
 * dark mode too: some cameras cannot read inverted codes. Screen readers skip it.
 */
export function qrCode(content: string): string {
  const rows = encodeQR(content, 'raw', { border: QUIET_ZONE })
  const size = rows.length
  const path = rows.map((row, y) => runsOf(row, y)).join('')
  return `<svg class="qr" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" aria-hidden="true"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
}

/** Draws the dark modules of a row; adjacent ones become one rectangle. */
function runsOf(row: boolean[], y: number): string {
  const bits = row.map((isDark) => (isDark ? '1' : '0')).join('')
  return [...bits.matchAll(/1+/g)]
    .map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join('')
}
