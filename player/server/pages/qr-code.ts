import encodeQR from 'qr'

/** Modules around the code that stay empty (ISO/IEC 18004). */
const QUIET_ZONE = 4

/**
 * A QR code as inline SVG: the pages may load no image, not even from a `data:` address. Black on
 * white in dark mode too, as some cameras read no other. Screen readers pass over it.
 */
export function qrCode(content: string): string {
  const rows = encodeQR(content, 'raw', { border: QUIET_ZONE })
  const size = rows.length
  const path = rows.map((row, y) => runsOf(row, y)).join('')
  return `<svg class="qr" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" aria-hidden="true"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
}

/** The dark modules of a row, those side by side as one rectangle. */
function runsOf(row: boolean[], y: number): string {
  const bits = row.map((isDark) => (isDark ? '1' : '0')).join('')
  return [...bits.matchAll(/1+/g)]
    .map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join('')
}
