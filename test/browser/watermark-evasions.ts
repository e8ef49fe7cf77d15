import type { Attack } from './watermark-attacks.ts'

/** Ways to lose the watermark that change neither its element nor its rules, or that turn what the guard asks against it. */
export const EVASIONS: Attack[] = [
  [
    'a pseudo-element of its own host',
    ['restyled'],
    () => {
      const style = document.createElement('style')
      style.textContent = `#player > :last-child::after { content: ''; position: fixed; inset: 0;
        background: #246; pointer-events: none }`
      document.head.append(style)
    },
  ],
  [
    'a new root element, which leaves the old one without a size',
    ['removed', 'moved'],
    () => {
      document.querySelector('#player > [popover]')?.remove()
      const old = document.documentElement
      // A second new one would not have the attributes by which a test sees the state of the player.
      if (old.hasAttribute('new')) return
      const root = document.createElement('html')
      root.append(...old.childNodes)
      root.setAttribute('new', '')
      document.replaceChild(root, old)
    },
  ],
  [
    'the help sheet, emptied, restyled and raised above it',
    ['covered'],
    () => {
      const help = document.querySelector<HTMLElement>('#help')
      if (!help) return
      help.replaceChildren()
      help.style.cssText = 'background: #000 !important; pointer-events: none !important'
      if (help.matches(':popover-open')) help.hidePopover()
      help.showPopover()
    },
  ],
  [
    'the same sheet as a modal dialog without a size',
    ['covered'],
    () => {
      const help = document.querySelector<HTMLDialogElement>('#help')
      if (!help || help.open) return
      help.removeAttribute('popover')
      help.style.cssText = 'width: 0; height: 0; opacity: 0'
      help.showModal()
    },
  ],
  [
    'the video as a popover above it',
    ['covered', 'moved'],
    () => {
      const video = document.querySelector('video')
      if (!video) return
      video.popover = 'manual'
      video.style.cssText = 'width: 100% !important; height: 100% !important; inset: 0'
      if (video.matches(':popover-open')) video.hidePopover()
      video.showPopover()
    },
  ],
  [
    'leaving the top layer',
    ['hidden', 'covered'],
    () => document.querySelector<HTMLElement>('#player > [popover]')?.hidePopover(),
  ],
  [
    'inert content',
    ['covered'],
    () => {
      const host = document.querySelector<HTMLElement>('#player > [popover]')
      if (host) host.inert = true
    },
  ],
  [
    'a slot that does not exist',
    ['hidden'],
    () => document.querySelector('#player > [popover]')?.setAttribute('slot', 'nowhere'),
  ],
  [
    'the slot of its container removed',
    ['hidden'],
    () => {
      const { shadowRoot } = document.querySelector('#player') ?? {}
      shadowRoot?.querySelector('slot:not([name])')?.remove()
      for (const slot of shadowRoot?.querySelectorAll('slot') ?? []) if (!slot.name) slot.remove()
    },
  ],
  [
    'content visibility of the host',
    ['hidden', 'moved', 'restyled'],
    () => {
      const host = document.querySelector<HTMLElement>('#player > [popover]')
      host?.style.setProperty('content-visibility', 'hidden', 'important')
    },
  ],
  [
    'a picture that overflows its box',
    ['moved'],
    () => {
      const style = document.createElement('style')
      style.textContent = `video { width: 30vw !important; height: 100vh !important;
        object-fit: cover !important; overflow: visible !important }`
      document.head.append(style)
    },
  ],
  [
    'a wide margin around the clipped picture',
    ['moved'],
    () => {
      const style = document.createElement('style')
      style.textContent = `video { width: 30vw !important; height: 100vh !important;
        object-fit: cover !important; overflow-clip-margin: content-box 900px !important }`
      document.head.append(style)
    },
  ],
  [
    'a view box of the picture',
    ['moved', 'hidden'],
    () => {
      const style = document.createElement('style')
      style.textContent = 'video { object-view-box: inset(10% 10% 10% 10%) !important }'
      document.head.append(style)
    },
  ],
  [
    'closing the document with document.open',
    ['moved', 'removed'],
    () => {
      const player = document.querySelector('#player')
      document.open()
      document.write('<!doctype html><body>')
      document.close()
      if (player) document.body.append(player)
      player?.querySelector(':scope > [popover]')?.remove()
    },
  ],
  [
    'observers that see nothing and timers that never end, in the frame of the player alone',
    ['removed', 'hidden'],
    () => document.querySelector('#player > [popover]')?.remove(),
    () => {
      if (self !== top) return
      window.MutationObserver = class extends MutationObserver {
        constructor() {
          super(() => undefined)
        }
      }
      window.ResizeObserver = class extends ResizeObserver {
        constructor() {
          super(() => undefined)
        }
      }
      AbortSignal.timeout = () => new AbortController().signal
      for (const event of ['timeupdate', 'resize', 'play', 'fullscreenchange'])
        addEventListener(event, (given) => given.stopImmediatePropagation(), { capture: true })
      setInterval(() => {
        for (let id = 1; id < 20_000; id++) clearTimeout(id)
      }, 50)
    },
  ],
  [
    'lying functions for texts and patterns, in the frame of the player alone',
    ['covered'],
    () => {
      RegExp.prototype.test = () => true
      const patch = document.createElement('div')
      patch.popover = 'manual'
      patch.style.cssText = 'inset: 0; width: 100%; height: 100%; background: #000'
      document.body.append(patch)
      patch.showPopover()
    },
    () => {
      if (self !== top) return
      const host = () => document.querySelector('#player')?.lastElementChild
      Object.defineProperty(Function.prototype, 'toString', {
        value(this: { name: string }) {
          return `function ${this.name}() { [native code] }`
        },
      })
      Document.prototype.elementFromPoint = host as never
      ShadowRoot.prototype.elementFromPoint = host as never
      Reflect.apply = ((f: () => void, self: unknown, given: unknown[]) =>
        Function.prototype.apply.call(f, self, given)) as never
    },
  ],
  [
    'a style sheet constructor whose sheets are disabled, with a cover that ignores the pointer',
    ['covered'],
    () => {
      const style = document.createElement('style')
      style.textContent = `#patch { inset: 0; width: 100%; height: 100%; background: #000;
        pointer-events: none !important } #patch::backdrop { pointer-events: none !important }`
      const patch = document.querySelector<HTMLElement>('#patch') ?? document.createElement('div')
      patch.id = 'patch'
      patch.popover = 'manual'
      document.body.append(style, patch)
      if (patch.matches(':popover-open')) patch.hidePopover()
      patch.showPopover()
    },
    () => {
      if (self !== top) return
      const Native = CSSStyleSheet
      window.CSSStyleSheet = class extends Native {
        constructor() {
          super({ disabled: true })
        }
      }
    },
  ],
  [
    'measures that lie, with the host hidden',
    ['hidden', 'restyled', 'moved'],
    () => {
      const host = document.querySelector<HTMLElement>('#player > [popover]')
      host?.style.setProperty('opacity', '0.01', 'important')
    },
    () => {
      if (self !== top) return
      const box = () => new DOMRect(100, 100, 200, 30)
      Element.prototype.getBoundingClientRect = box
      const real = window.getComputedStyle.bind(window)
      window.getComputedStyle = () => real(document.createElement('div'))
      Object.defineProperty(Element.prototype, 'clientWidth', { get: () => 0 })
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
      Object.defineProperty(window, 'innerWidth', { get: () => 0 })
      Object.defineProperty(window, 'devicePixelRatio', { get: () => 0 })
      performance.now = () => 0
    },
  ],
  [
    'options that are added to all objects',
    ['removed'],
    () => {
      const added = { signal: AbortSignal.abort(), attributeFilter: [], delay: 1e9 }
      for (const [name, value] of Object.entries(added))
        Object.defineProperty(Object.prototype, name, { value, writable: true, configurable: true })
      document.querySelector('#player > [popover]')?.remove()
      window.fetch = () => new Promise(() => undefined)
    },
  ],
  [
    'every child of the player but the video removed',
    ['removed'],
    () => {
      for (const child of document.querySelector('#player')?.children ?? [])
        if (child instanceof HTMLDivElement) child.remove()
    },
  ],
]

/** Changes after which the watermark is still to be read: the page can make them all at once. */
export function changeInVain(): void {
  const host = document.querySelector<HTMLElement>('#player > [popover]')
  if (!host) throw new Error('the page has no watermark')
  const style = document.createElement('style')
  style.textContent = `@font-face { font-family: system-ui; src: local('Symbol'); size-adjust: 1% }
    @font-face { font-family: sans-serif; src: local('Symbol'); size-adjust: 1% }
    @property --gone { syntax: '<number>'; inherits: false; initial-value: 0 }
    @keyframes gone { from, to { opacity: 0; transform: scale(0); visibility: hidden } }
    #player > :last-child, #player > :last-child::part(canvas) { animation: gone 1s infinite !important;
      translate: 9999px !important; mask: linear-gradient(#0000, #0000) !important;
      position-anchor: --none !important; anchor-name: --mark !important; contain: strict !important;
      container-type: size !important; view-transition-name: mark !important }
    @media all { canvas { display: none !important } }
    html, body, #player { clip-path: inset(0 0 1px 0); perspective: 1px; isolation: isolate }`
  document.head.append(style)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(':host { display: none !important } canvas { opacity: 0 !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const gone = [{ opacity: 0, transform: 'scale(0)', clipPath: 'inset(50%)' }]
  host.animate(gone, { duration: 1e9, fill: 'both' }).pause()
  host.hidden = true
  host.lang = 'ar'
  host.dir = 'rtl'
  host.style.setProperty('display', 'contents', 'important')
  document.documentElement.dir = 'rtl'
}

/** Replaces built-ins that draw and that choose places, in the frame of the player alone, before the page loads. */
export function replaceDrawing(): void {
  if (self !== top) return
  const { apply } = Reflect
  Reflect.apply = ((called: { name: string }, ...given: [unknown, never]) =>
    called.name === 'fillText' ? undefined : apply(called as never, ...given)) as never
  CanvasRenderingContext2D.prototype.fillText = () => undefined
  HTMLCanvasElement.prototype.getContext = () => null
  crypto.getRandomValues = (given) => given
  Math.random = () => 0
}
