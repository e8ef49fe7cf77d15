/** Names a rung by its short side, such as `720p`. */
export const rungName = ({
  width,
  height,
}: {
  width: number | null
  height: number | null
}): string => `${Math.min(width ?? 0, height ?? 0)}p`
