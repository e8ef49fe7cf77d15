/**
 * Groups what lies closer than `apart` seconds to the first of its group. Returns the groups in the order of time.
 */
export function mergeClose<Point extends { timestamp: number }>(
  points: readonly Point[],
  apart: number,
): Point[][] {
  const groups: Point[][] = []
  const sorted = [...points]
  sorted.sort((a, b) => a.timestamp - b.timestamp)
  for (const point of sorted) {
    const group = groups.at(-1)
    const start = group?.[0]?.timestamp ?? -Infinity
    if (group && point.timestamp - start < apart) group.push(point)
    else groups.push([point])
  }
  return groups
}
