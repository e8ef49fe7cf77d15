/** The sign-in, which leads back to this page; `isOther` also if another member is signed in. */
export const signInPath = (isOther = false): string =>
  `/sign-in?${new URLSearchParams({
    next: location.pathname + location.search,
    ...(isOther && { other: '' }),
  })}`
