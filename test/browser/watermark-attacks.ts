import type { CDPSession } from 'playwright-core'

/** The name of an attack, the names that the guard may give it, the attack, and a script that runs before the page loads. */
export type Attack = [name: string, how: string[], attack: () => void, beforeLoad?: () => void]

/** Attacks on a page that plays. Each runs in the page repeatedly, as a script of an extension could. */
export const ATTACKS: Attack[] = [
  ['removing it', ['removed'], () => document.querySelector('#player')?.lastElementChild?.remove()],
  [
    'moving it out of the player',
    ['removed'],
    () => {
      const host = document.querySelector('#player')?.lastElementChild
      if (host instanceof HTMLDivElement) document.body.append(host)
    },
  ],
  [
    'an inline style',
    ['hidden', 'restyled'],
    () => {
      const host = document.querySelector<HTMLElement>('#player > :last-child')
      host?.style.setProperty('display', 'none', 'important')
    },
  ],
  [
    'taking its style away',
    ['moved', 'restyled', 'hidden', 'covered'],
    () => document.querySelector('#player > :last-child')?.removeAttribute('style'),
  ],
  [
    'the video taken out of the player',
    ['moved'],
    () => {
      const video = document.querySelector('video')
      if (video) document.body.append(video)
    },
  ],
  [
    'the video alone in full screen',
    ['moved'],
    () =>
      void document
        .querySelector('video')
        ?.requestFullscreen()
        .catch(() => undefined),
  ],
  [
    'picture-in-picture, its bar torn down',
    ['picture_in_picture'],
    () => {
      const video = document.querySelector('video')
      if (!video) return
      video.disablePictureInPicture = false
      void video.requestPictureInPicture().catch(() => undefined)
    },
  ],
]

/**
 * Attacks that leave the watermark in its place: covers in the top layer, pictures painted elsewhere,
 * replaced built-ins, a disarmed guard.
 */
export const STEALTHY_ATTACKS: Attack[] = [
  [
    'a reflection of the video beside it',
    ['moved'],
    () => {
      const style = document.createElement('style')
      style.textContent = `media-controller { width: 50vw !important; height: 100vh !important;
        position: absolute !important; inset: 0 auto auto 0 !important; contain: none !important;
        overflow: visible !important } video { -webkit-box-reflect: right 0px !important }`
      document.head.append(style)
    },
  ],
  [
    'a filter that paints the picture beside its box',
    ['moved'],
    () => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<svg width="0" height="0"><filter id="shift"><feOffset dx="300"/></filter></svg>',
      )
      document.querySelector('video')?.setAttribute('style', 'filter: url(#shift) !important')
    },
  ],
  [
    'a popover over it that insists on letting the pointer through',
    ['covered'],
    () => {
      const patch = document.querySelector('#patch') ?? document.createElement('div')
      patch.id = 'patch'
      patch.setAttribute('popover', 'manual')
      patch.setAttribute(
        'style',
        'inset: 0; width: 100%; height: 100%; background: #000; pointer-events: none !important',
      )
      document.body.append(patch)
      ;(patch as HTMLElement).showPopover()
    },
  ],
  [
    'an inert popover over it',
    ['covered'],
    () => {
      const patch = document.createElement('div')
      patch.inert = true
      patch.popover = 'manual'
      patch.style.cssText = 'inset: 0; width: 100%; height: 100%; backdrop-filter: blur(12px)'
      document.body.append(patch)
      patch.showPopover()
    },
  ],
  [
    'a view transition that is held',
    ['covered'],
    () => {
      const style = document.createElement('style')
      style.textContent = `video { view-transition-name: video }
        ::view-transition { pointer-events: none !important }
        ::view-transition-group(*), ::view-transition-new(*) { animation-duration: 9999s !important }`
      document.head.append(style)
      document.startViewTransition(() => undefined)
    },
  ],
  [
    'a container without height, which the video leaves',
    ['removed', 'moved'],
    () => {
      const style = document.createElement('style')
      style.textContent = `media-controller { height: 0 !important; contain: none !important;
        overflow: visible !important } video { position: fixed !important; inset: 0 !important;
        width: 100vw !important; height: 100vh !important }`
      document.head.append(style)
      document.querySelector('#player')?.lastElementChild?.remove()
    },
  ],
  [
    'replacing the built-ins that the guard uses',
    ['removed'],
    () => {
      const player = document.querySelector('#player')
      const getter = (value: unknown) => ({ configurable: true, get: () => value })
      Object.defineProperty(Node.prototype, 'parentNode', getter(player))
      Object.defineProperty(Element.prototype, 'checkVisibility', { value: () => true })
      Object.defineProperty(Document.prototype, 'elementFromPoint', { value: () => null })
      Element.prototype.append = () => undefined
      Array.prototype.some = () => false
      crypto.getRandomValues = (given) => given
      player?.lastElementChild?.remove()
    },
  ],
  [
    'replacing the built-ins that the guard uses before the page loads',
    ['covered'],
    () => {
      const patch = document.createElement('div')
      patch.popover = 'manual'
      patch.style.cssText = 'inset: 0; width: 100%; height: 100%; background: #000'
      document.body.append(patch)
      patch.showPopover()
    },
    () => {
      if (self !== top) return
      const lie = { value: () => document.querySelector('#player')?.lastElementChild }
      Object.defineProperty(Document.prototype, 'elementFromPoint', lie)
      Object.defineProperty(Document.prototype, 'elementsFromPoint', { value: () => [] })
    },
  ],
  [
    'disarming observers, timers and the events of the video before the page loads',
    ['removed'],
    () => document.querySelector('#player > [popover]')?.remove(),
    () => {
      MutationObserver.prototype.observe = () => undefined
      ResizeObserver.prototype.observe = () => undefined
      for (const event of ['timeupdate', 'play', 'resize', 'enterpictureinpicture'])
        addEventListener(event, (given) => given.stopImmediatePropagation(), { capture: true })
      setInterval(() => {
        for (let id = 1; id < 20_000; id++) clearTimeout(id)
      }, 50)
    },
  ],
]

/** Restyles the text of the watermark with the inspector's protocol, which sees closed shadow roots. */
export async function restyleText(inspector: CDPSession, rule: string): Promise<void> {
  const { root } = await inspector.send('DOM.getDocument', { depth: -1, pierce: true })
  const all = [root]
  for (const node of all) all.push(...(node.children ?? []), ...(node.shadowRoots ?? []))
  const drawn = all.find(({ localName }) => localName === 'canvas')
  const { object } = await inspector.send('DOM.resolveNode', { nodeId: drawn?.nodeId ?? 0 })
  await inspector.send('Runtime.callFunctionOn', {
    objectId: object.objectId ?? '',
    functionDeclaration:
      'function (name, value) { this.style.setProperty(name, value, "important") }',
    arguments: rule.split(/: (.*)/).map((value) => ({ value })),
  })
}

/** Style sheets that cover or fade the whole page below the top layer. */
export const COVERS = `html::after { content: ''; position: fixed; inset: 0; z-index: 2147483647;
    background: #000; pointer-events: none }
  body::after { content: ''; position: fixed; inset: 0; z-index: 2147483647; pointer-events: none;
    backdrop-filter: blur(12px) }
  html, body, media-controller { filter: opacity(0.01); mix-blend-mode: multiply }
  video { position: relative !important; z-index: 2147483647 !important; pointer-events: none !important }`

/** Applies `rules` and adds every other cover that the page itself can add; runs in the page. */
export function coverAll(rules: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(rules)
  document.adoptedStyleSheets = [sheet]
  const box = 'position: fixed; inset: 0; z-index: 2147483647; background: #000'
  const patch = document.createElement('div')
  patch.setAttribute('style', `${box}; pointer-events: none !important`)
  const hidden = document.createElement('div')
  const inner = document.createElement('div')
  inner.setAttribute('style', `${box}; pointer-events: none`)
  hidden.attachShadow({ mode: 'closed' }).append(inner)
  document.body.append(patch, hidden)
  const root = document.querySelector('#player')?.shadowRoot
  const faint = document.createElement('style')
  faint.textContent =
    'slot:not([name]) { display: block; opacity: 0.02; mask: linear-gradient(#0000, #0000) }'
  root?.append(faint)
}
