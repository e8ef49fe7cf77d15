/** The sign-in, which leads back to this page. */
export const signInPath = (): string =>
  `/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`
