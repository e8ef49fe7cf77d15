import type { PlayerData } from '../../player-data.ts'

export type WatermarkLook = NonNullable<PlayerData['watermark']>

/** The watermark in the page. */
export interface Mark {
  host: HTMLElement
  text: HTMLElement
}

const SIZES = { small: 0.028, medium: 0.038, large: 0.055 } as const
/** Whatever the settings say, it stays readable. */
const OPACITY_LEAST = 0.15

/**
 * Makes the watermark, in a closed shadow root that no style sheet of the page reaches into. It has no
 * name, class or id to be found by.
 */
export function makeMark(look: WatermarkLook): Mark {
  const host = document.createElement('div')
  important(host, {
    all: 'initial',
    position: 'absolute',
    inset: '0',
    display: 'block',
    visibility: 'visible',
    opacity: '1',
    'z-index': '2147483647',
    'pointer-events': 'none',
    overflow: 'hidden',
    'container-type': 'size',
  })
  const text = document.createElement('span')
  text.textContent = look.text
  const share = SIZES[look.size]
  important(text, {
    position: 'absolute',
    color: '#fff',
    opacity: String(opacityOf(look)),
    font: `600 clamp(11px, ${share * 100}cqmin, 44px) system-ui, sans-serif`,
    'text-shadow': '0 0 2px #000, 0 0 4px rgb(0 0 0 / 60%)',
    'white-space': 'nowrap',
    'max-width': '90%',
    overflow: 'hidden',
    'text-overflow': 'ellipsis',
    transition: matchMedia('(prefers-reduced-motion: reduce)').matches
      ? 'none'
      : 'left 1.2s ease, top 1.2s ease, transform 1.2s ease',
  })
  host.attachShadow({ mode: 'closed' }).append(text)
  move({ host, text })
  return { host, text }
}

export const opacityOf = ({ opacity }: WatermarkLook): number =>
  Math.min(1, Math.max(OPACITY_LEAST, opacity))

/** Goes to another place, which nobody can foretell; never out of the picture. */
export function move({ text }: Mark): void {
  const [across, down] = crypto.getRandomValues(new Uint16Array(2))
  const [left, top] = [percent(across), percent(down)]
  important(text, { left, top, transform: `translate(-${left}, -${top})` })
}

const percent = (value = 0): string => `${((value / 65_535) * 100).toFixed(2)}%`

function important(element: HTMLElement, style: Record<string, string>): void {
  for (const [name, value] of Object.entries(style))
    element.style.setProperty(name, value, 'important')
}
