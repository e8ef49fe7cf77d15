interface Size {
  width: number | null
  height: number | null
}

/** Returns the short side of a rung. */
export const rungHeight = ({ width, height }: Size): number => Math.min(width ?? 0, height ?? 0)

/** Names a rung by its short side, such as `720p`. */
export const rungName = (size: Size): string => `${rungHeight(size)}p`
