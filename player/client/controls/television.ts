/** Browsers of televisions and of what is connected to them, whose remotes have arrows, Enter and Back. */
const TELEVISION =
  /smart-?tv|tizen|web0s|bravia|googletv|google tv|android tv|\baft\w|crkey|hbbtv|vidaa|roku|playstation|xbox/i

/** True for the user agent of a television. */
export const isTelevision = (userAgent: string): boolean => TELEVISION.test(userAgent)
