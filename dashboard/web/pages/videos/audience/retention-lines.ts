/** Points of a curve of 100 parts, in a square of 100 from the top left: each stands in the middle of its part. */
const pointsOf = (shares: readonly number[]): string[] =>
  shares.map((share, part) => `${part + 0.5} ${Math.round(1000 * (1 - share)) / 10}`)

/** The line of a curve, from edge to edge. */
export function lineOf(shares: readonly number[]): string {
  const edge = (share = 0): number => Math.round(1000 * (1 - share)) / 10
  return `M0 ${edge(shares[0])}L${pointsOf(shares).join('L')}L100 ${edge(shares.at(-1))}`
}

/** The area below the line of a curve. */
export const areaOf = (shares: readonly number[]): string => `${lineOf(shares)}V100H0Z`
