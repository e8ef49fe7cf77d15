import type { FunctionComponent } from 'react'

export interface IconProps {
  /** Width and height in pixels. */
  size?: number
  /** Width of the lines, of the 24 units of the picture; filled icons have none. */
  stroke?: number
  className?: string
}

/** Returns an icon of lines; `path` is the `d` of its SVG on a grid of 24 × 24. */
export function outlined(path: string): FunctionComponent<IconProps> {
  return ({ size = 24, stroke = 2, className }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
    >
      <path d={path} />
    </svg>
  )
}

/** Returns an icon of areas; `path` is the `d` of its SVG on a grid of 24 × 24. */
export function filled(path: string): FunctionComponent<IconProps> {
  return ({ size = 24, className }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="currentColor"
      stroke="none"
      className={className}
    >
      <path d={path} />
    </svg>
  )
}
