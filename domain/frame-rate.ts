/** Frames a second of an exact rational such as `30000/1001`. */
export function framesPerSecond(frameRate: string): number {
  const [numerator = 0, denominator = 1] = frameRate.split('/').map(Number)
  return numerator / denominator
}
