/** Whether a parameter of the embed address that is on or off is on: `autoplay`, `autoplay=1`. */
export const isOn = (value: unknown): boolean =>
  typeof value === 'string' && ['', '1', 'true'].includes(value)
