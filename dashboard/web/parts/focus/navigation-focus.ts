import { createStore } from '../../store.ts'

/** The title of the page that was navigated to last, for screen readers. */
export const announcedTitle = createStore('')

/** True from a navigation until the heading of its page is there. */
let isUnderWay = false
/** The heading from before. */
let former: Element | null = null
let formerTitle = ''

/** In an area with tabs, the heading of the page is the one below them. */
const headingOfPage = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main [data-page-heading]')

export function beginNavigation(): void {
  isUnderWay = true
  former = headingOfPage()
  formerTitle = former?.textContent ?? ''
}

/** The page stays: a dialog of it has opened or closed. */
export function endNavigation(): void {
  isUnderWay = false
}

/** Moves the focus to the heading of the page. */
export const focusHeading = (): void => headingOfPage()?.focus({ preventScroll: true })

/** Takes the heading of a page that was navigated to: says its title, and moves the focus to it. */
export function arriveAt(heading: HTMLElement | null, title: string): void {
  if (!isUnderWay || !heading || (heading === former && title === formerTitle)) return
  isUnderWay = false
  announcedTitle.set(title)
  const { activeElement } = document
  // What led here may be on this page too, such as the button that leads to the next row.
  const hasStayed = activeElement?.closest('main') != null && activeElement.tagName !== 'MAIN'
  if (!hasStayed && !document.querySelector('[role=dialog]')) heading.focus({ preventScroll: true })
}
