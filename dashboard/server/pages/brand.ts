/** The sign of the service: a play button. */
export const SIGN =
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#127864"/><path d="M12 9.5v13l11-6.5z" fill="white"/></svg>'

/** The sign as the address of an icon. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(SIGN)}`
