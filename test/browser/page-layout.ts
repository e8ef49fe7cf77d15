/** What a text is, and where it is seen. */
interface SeenText {
  name: string
  parent: Element
  /** All of a line of it. */
  line: DOMRect
  /** The part of the line that no frame cuts off. */
  seen: DOMRect
  /** What it scrolls with; null for the page. */
  layer: Element | null
}

/** What cannot be read on a page, in words: texts above one another, and texts that are cut without a hint. Runs in the page. */
export function unreadableTexts(): string[] {
  const range = document.createRange()
  const ancestors = (element: Element): Element[] => {
    const all: Element[] = []
    for (let one: Element | null = element; one; one = one.parentElement) all.push(one)
    return all
  }
  const isForReadersOnly = (element: Element): boolean => {
    const { clip, clipPath } = getComputedStyle(element)
    return clip !== 'auto' || clipPath !== 'none'
  }
  const common = (a: DOMRect, b: DOMRect): DOMRect => {
    const [x, y] = [Math.max(a.left, b.left), Math.max(a.top, b.top)]
    const [right, bottom] = [Math.min(a.right, b.right), Math.min(a.bottom, b.bottom)]
    return new DOMRect(x, y, Math.max(0, right - x), Math.max(0, bottom - y))
  }
  const seenPart = (line: DOMRect, above: Element[]): DOMRect =>
    above
      .filter((element) => getComputedStyle(element).overflow !== 'visible')
      .reduce((box, element) => common(box, element.getBoundingClientRect()), line)
  const textsOf = (node: Node): SeenText[] => {
    const name = (node.textContent ?? '').trim().slice(0, 40)
    const parent = node.parentElement
    if (!parent || name === '' || parent.closest('script, style, noscript, select')) return []
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return []
    const above = ancestors(parent)
    if (above.some(isForReadersOnly)) return []
    const layer =
      above.find((one) => ['fixed', 'sticky'].includes(getComputedStyle(one).position)) ?? null
    range.selectNodeContents(node)
    return [...range.getClientRects()]
      .filter(({ width }) => width > 2)
      .map((line) => ({ name, parent, line, layer, seen: seenPart(line, above) }))
  }
  const texts: SeenText[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(...textsOf(node))
  const faults: string[] = []
  for (const [index, a] of texts.entries())
    for (const b of texts.slice(index + 1)) {
      const { width, height } = common(a.seen, b.seen)
      // Boxes of lines are higher than their letters.
      const isAbove = width > 2 && height > Math.min(a.line.height, b.line.height) / 2
      // A text that is cut in the middle lies above its whole.
      const hint = a.parent.closest('[title]')
      const isSame = hint !== null && hint === b.parent.closest('[title]')
      if (a.layer === b.layer && isAbove && !isSame)
        faults.push(`above one another: ${a.name} | ${b.name}`)
    }
  for (const { name, parent, line, seen } of texts) {
    const hint = parent.closest('[title]')?.getAttribute('title') ?? ''
    const canScroll = ancestors(parent).some((one) => {
      const { overflowX, overflowY } = getComputedStyle(one)
      return [overflowX, overflowY].some((value) => ['auto', 'scroll'].includes(value))
    })
    const isCut = seen.width < line.width - 2 || seen.height < line.height / 2
    if (isCut && !canScroll && !hint.includes(name)) faults.push(`cut: ${name}`)
  }
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} px wide`)
  return [...new Set(faults)]
}

/** Collects the shifts of the layout from the beginning, in `window.layoutShifts`. Runs in the page before its scripts. */
export function watchLayoutShifts(): void {
  const shifts: string[] = []
  Object.assign(window, { layoutShifts: shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      }
      // Less is a part of a pixel.
      if (hadRecentInput || value < 0.0001) continue
      const moved = sources.map(({ node }) => (node?.textContent ?? '').trim().slice(0, 40))
      shifts.push(`${value.toFixed(4)}: ${moved.join(' | ')}`)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
