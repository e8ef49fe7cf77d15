/** As the `ref` of a field that a click has just shown: the button that was clicked may be gone. */
export const focusOnce = (element: HTMLElement | null): void => element?.focus()
