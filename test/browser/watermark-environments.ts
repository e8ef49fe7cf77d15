import type { BrowserContextOptions, Frame } from 'playwright-core'

/** Changes that extensions for dark mode, translation, fonts and dimming make to a page. */
export const ENVIRONMENTS: [name: string, options: BrowserContextOptions, change: () => void][] = [
  ['forced colours and more contrast', { forcedColors: 'active', contrast: 'more' }, () => {}],
  [
    'a dark mode that sets colours, large fonts of a reader, a translation',
    { colorScheme: 'dark' },
    () => {
      const style = document.createElement('style')
      style.textContent = `* { color: #e8e6e3 !important; background-color: #181a1b !important;
        background-image: none !important; border-color: #736b5e !important; transition: none !important;
        font: 400 48px/2 "Comic Sans MS", cursive !important; letter-spacing: 0.3em !important;
        text-shadow: none !important; -webkit-text-fill-color: #ff0 !important; min-font-size: 40px }`
      document.head.append(style)
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('*, ::before, ::after { color: #fff !important; opacity: 1 !important }')
      document.adoptedStyleSheets = [sheet]
      document.documentElement.className = 'translated-rtl'
      document.documentElement.dir = 'rtl'
      for (const element of document.querySelectorAll<HTMLElement>('body *')) {
        element.dataset.darkreaderInlineColor = ''
        element.style.setProperty('--darkreader-inline-color', '#e8e6e3')
        for (const text of element.childNodes) {
          if (text.nodeType !== Node.TEXT_NODE || !text.textContent?.trim()) continue
          const font = document.createElement('font')
          font.style.verticalAlign = 'inherit'
          text.replaceWith(font)
          font.append(text)
        }
      }
    },
  ],
  [
    'a dark mode by SVG filters, a dimming overlay, buttons of an extension over the picture',
    { colorScheme: 'dark' },
    () => {
      document.body.insertAdjacentHTML(
        'beforeend',
        `<svg width="0" height="0"><filter id="dark-reader-filter"><feColorMatrix
        values="0.3 -0.6 -0.6 0 1 -0.6 0.3 -0.6 0 1 -0.6 -0.6 0.3 0 1 0 0 0 1 0"/></filter></svg>
        <div style="position: fixed; inset: 0; z-index: 2147483647; pointer-events: none">
        <button style="position: absolute; left: 40%; top: 40%; pointer-events: auto">2x</button></div>
        <div style="position: fixed; inset: 0; z-index: 2147483646; pointer-events: none;
        background: #f80; mix-blend-mode: multiply"></div>`,
      )
      const style = document.createElement('style')
      style.textContent = `html { filter: url(#dark-reader-filter) !important }
        img, video, canvas { filter: url(#dark-reader-filter) hue-rotate(10deg) !important }`
      document.head.append(style)
    },
  ],
  [
    'zoom by the browser and by an extension, a mirrored video',
    { deviceScaleFactor: 1.25, viewport: { width: 500, height: 290 } },
    () => {
      document.documentElement.style.setProperty('zoom', '1.3')
      document.querySelector('video')?.style.setProperty('transform', 'scaleX(-1)')
    },
  ],
  [
    'a password manager in the top layer, an inspector of fonts, an emptied cursor',
    {},
    () => {
      const box = document.createElement('div')
      box.popover = 'manual'
      box.attachShadow({ mode: 'closed' }).innerHTML = '<p>Save the password?</p>'
      box.style.cssText = 'inset: auto 0 0 auto; width: 20px; height: 20px'
      document.body.append(box)
      box.showPopover()
      const style = document.createElement('style')
      style.textContent = `* { cursor: none !important; outline: 1px solid red !important;
        scroll-behavior: auto !important } ::selection { background: none }`
      document.head.append(style)
    },
  ],
  [
    'a picture that an extension stretches, brightens and sharpens',
    {},
    () => {
      const style = document.createElement('style')
      style.textContent = `video { object-fit: fill !important; image-rendering: pixelated !important;
        filter: brightness(1.4) contrast(1.2) saturate(1.5) !important }`
      document.head.append(style)
    },
  ],
  [
    'built-ins that an extension against fingerprints wraps, as it does in every frame',
    {},
    () => {
      const wrap = (owner: object, name: string): void => {
        const real = Reflect.get(owner, name) as (...given: unknown[]) => unknown
        const wrapped = function wrapped(this: unknown, ...given: unknown[]): unknown {
          return Reflect.apply(real, this, given)
        }
        Reflect.set(owner, name, wrapped)
      }
      for (const name of ['getImageData', 'measureText', 'fillText'])
        wrap(CanvasRenderingContext2D.prototype, name)
      wrap(Performance.prototype, 'now')
    },
  ],
]

/** What a page does with the frame of a player: the styles that it gives it. */
export const FRAME_STYLES = [
  'visibility: hidden',
  'display: none',
  'opacity: 0',
  'width: 0; height: 0',
  'height: 1px',
  'width: 1px',
  'width: 3px; height: 2px',
  'width: 120px; height: 68px',
  'width: 200px; height: 900px',
  'width: 1900px; height: 90px',
  'margin-top: 3000px',
  'transform: scale(0.5) rotate(3deg)',
  'transform: perspective(400px) rotateY(40deg)',
  'zoom: 0.3',
  'filter: grayscale(1) invert(1)',
  'clip-path: circle(40%)',
  'content-visibility: hidden',
  'position: fixed; inset: auto 0 0 auto; width: 240px; height: 135px',
  'mix-blend-mode: multiply; border: 20px solid; padding: 15px; box-sizing: border-box',
]

const press = (frame: Frame, key: string): Promise<void> =>
  frame.locator('body').press(key, { noWaitAfter: true })

/** What viewers do with a player. */
export const PLAYER_USES: ((frame: Frame) => Promise<unknown>)[] = [
  (frame) => press(frame, '?'),
  (frame) => press(frame, '?'),
  (frame) => press(frame, '?'),
  (frame) => press(frame, 'Escape'),
  (frame) => press(frame, '5'),
  (frame) => press(frame, 'k'),
]
