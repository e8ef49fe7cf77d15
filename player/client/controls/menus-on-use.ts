/** The menus of the settings. */
export type Menus = typeof import('../menus/menus.ts')

const USES = ['pointermove', 'pointerdown', 'keydown', 'focusin']

/**
 * Loads the menus of the settings when the viewer first uses the page: a video that only plays needs none. A press of their
 * button before then opens them as soon as they are there.
 */
export function menusOnUse(): Promise<Menus> {
  return new Promise((resolve) => {
    const load = async (): Promise<void> => resolve(await import('../menus/menus.ts'))
    const loadQuietly = (): void => void load().catch(() => undefined)
    for (const use of USES) addEventListener(use, loadQuietly, { capture: true, once: true })
    const settings = document.querySelector<HTMLElement>('media-settings-menu')
    settings?.addEventListener('invoke', (press) => {
      if (settings.matches(':defined')) return
      void load().then(
        () => open(settings, press),
        () => undefined,
      )
    })
  })
}

/** Opens the settings by the press that came too early. */
function open(settings: HTMLElement, press: Event): void {
  // Without a layout while they are closed, they open without the transition after which they take the focus.
  settings.getBoundingClientRect()
  settings.dispatchEvent(press)
}
